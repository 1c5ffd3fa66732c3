/** Import it as a namespace, so that the build drops unused names. */
declare module '*.module.css' {
  const names: Readonly<Record<string, string>>;
  export = names;
}
declare module '*.css' {}
