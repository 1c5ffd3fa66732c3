/** Imported as a namespace, so that a build keeps the names that are used and nothing else. */
declare module '*.module.css' {
  const names: Readonly<Record<string, string>>;
  export = names;
}
declare module '*.css' {}
