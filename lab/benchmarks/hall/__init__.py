"""A hall's evening on a real server: everybody posts at once, many look on, and none of it is lost or doubled."""
