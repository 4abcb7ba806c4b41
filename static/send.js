/* A request that gives up in time: a laptop that died with the Wi-Fi still up never answers. */
const PATIENCE = 8000; // milliseconds

export const send = (address, options) => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), PATIENCE);
  return fetch(address, { ...options, signal: stop.signal });
};
