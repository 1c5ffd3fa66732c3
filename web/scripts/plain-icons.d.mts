export function plainIcons(): import('vite').Plugin;
