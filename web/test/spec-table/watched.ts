/** The options that each autoplay of the carousel was made with. */
export const autoplays: unknown[] = [];

/** The same plug-in, which records its options. */
export function watched<Plugin>(make: (told?: object) => Plugin): (told?: object) => Plugin {
  return (told) => {
    autoplays.push(told);
    return make(told);
  };
}
