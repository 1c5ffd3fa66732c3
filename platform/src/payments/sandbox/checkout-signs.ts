const sign = (paths: string, size = ''): string =>
  `<svg class="i${size}" viewBox="0 0 24 24" aria-hidden="true">${paths}</svg>`;

/** Signs of lucide (ISC). */
export const flaskSign = sign(
  '<path d="M14 2v6a2 2 0 0 0 .245.96l5.51 10.08A2 2 0 0 1 18 22H6a2 2 0 0 1-1.755-2.96l5.51-10.08A2 2 0 0 0 10 8V2"/><path d="M6.453 15h11.094"/><path d="M8.5 2h7"/>',
  ' s',
);
export const cardSign = sign(
  '<rect width="20" height="14" x="2" y="5" rx="2"/><path d="M2 10h20"/><path d="M6 14h2"/>',
);
export const tickSign = sign('<circle cx="12" cy="12" r="10"/><path d="m16 9-5.5 5.5L8 12"/>');
export const shieldSign = sign(
  '<path d="M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1z"/><path d="m9 12 2 2 4-4"/>',
  ' s',
);

/** The market's own sign; its colours come from the page's tokens. */
export const logo = `<svg class="logo" viewBox="0 0 92 56" role="img" aria-label="Oja"><circle cx="24" cy="22" r="14" fill="none" stroke="currentColor" stroke-width="10"/><g fill="var(--surface)"><circle cx="37.52" cy="25.62" r="1.35"/><circle cx="33.90" cy="31.90" r="1.35"/><circle cx="27.62" cy="35.52" r="1.35"/><circle cx="20.38" cy="35.52" r="1.35"/><circle cx="14.10" cy="31.90" r="1.35"/><circle cx="10.48" cy="25.62" r="1.35"/><circle cx="10.48" cy="18.38" r="1.35"/><circle cx="14.10" cy="12.10" r="1.35"/><circle cx="20.38" cy="8.48" r="1.35"/><circle cx="27.62" cy="8.48" r="1.35"/><circle cx="33.90" cy="12.10" r="1.35"/><circle cx="37.52" cy="18.38" r="1.35"/></g><circle cx="24" cy="48.5" r="4.5" fill="var(--buy)"/><g transform="translate(-4 0)"><g fill="none" stroke="currentColor" stroke-width="8"><path d="M56.5 15v25.5c0 5-2.7 8-8 8"/><circle cx="77" cy="27.5" r="9.5"/><path d="M88 14v27"/></g><circle cx="56.5" cy="6.8" r="4.6" fill="currentColor"/></g></svg>`;
