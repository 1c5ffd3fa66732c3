/** What the carousel told its autoplay, each time one was made. */
export const autoplays: unknown[] = [];

/** The same plug-in, with a note of what it was told. */
export function watched<Plugin>(make: (told?: object) => Plugin): (told?: object) => Plugin {
  return (told) => {
    autoplays.push(told);
    return make(told);
  };
}
