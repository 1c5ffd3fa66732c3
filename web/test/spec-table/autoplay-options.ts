/** The options that each autoplay of the carousel was made with. */
export const autoplayOptions: unknown[] = [];

/** The same plug-in, which records its options. */
export function recordOptions<Plugin>(
  make: (options?: object) => Plugin,
): (options?: object) => Plugin {
  return (options) => {
    autoplayOptions.push(options);
    return make(options);
  };
}
