/* Passes the text of a field on: to another program where the browser can, else to the clipboard. Without this file the
   text can be selected and copied by hand. */
const copied = async (field) => {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch { // absent without https, or refused
    document.execCommand("copy");
  }
};

for (const button of document.querySelectorAll("[data-share]")) {
  const field = document.getElementById(button.dataset.share);
  const status = button.parentElement.querySelector("[data-copied]");
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      if (navigator.share && !("copy" in button.dataset)) {
        await navigator.share({ text: field.value });
        return;
      }
    } catch (refused) {
      if (refused.name === "AbortError") return; // somebody thought better of it
    }
    await copied(field);
    status.textContent = status.dataset.copied;
  });
}
