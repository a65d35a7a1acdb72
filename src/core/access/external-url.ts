// Address of a server for people: its form, and the rule in messages.

/** Without login, query and fragment. */
export const externalUrlForm = /^https?:\/\/[^\s?#@]+$/;
export const externalUrlRule =
  "must be an address without login, query or fragment, as in https://torus.example.org";
