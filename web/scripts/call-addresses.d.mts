export function callAddresses(): import('vite').Plugin;
