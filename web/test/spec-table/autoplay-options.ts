/** The options that each autoplay of the carousel was made with. */
export const autoplayOptions: unknown[] = [];

/** The same plug-in, which records its options. */
export function recordOptions<Plugin>(make: (told?: object) => Plugin): (told?: object) => Plugin {
  return (told) => {
    autoplayOptions.push(told);
    return make(told);
  };
}
