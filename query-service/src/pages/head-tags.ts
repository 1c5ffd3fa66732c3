/** The metadata of a page, for link previews and search engines. */
export interface Head {
  readonly title: string;
  readonly description: string;
  /** The canonical address of the page, absolute. */
  readonly url: string;
  readonly type?: 'website' | 'product';
  /** `url` is absolute. */
  readonly image?: { readonly url: string; readonly alt: string };
  /** In naira, as Open Graph expects. */
  readonly price?: number;
  readonly jsonLd?: Readonly<Record<string, unknown>>;
  /** Whether search engines must not list the page. */
  readonly hidden?: boolean;
  /** Preload links for what the page will request first. */
  readonly preloads?: readonly Preload[];
}

/** Attributes of a `<link rel="preload">`. */
export type Preload = Readonly<Record<string, string>>;

export interface PageAnswer {
  readonly status: 200 | 404;
  readonly head: Head;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text between tags and in quoted attributes, for HTML and XML. Control characters are removed. */
export const escaped = (text: string): string =>
  text.replace(/[^\P{Cc}\t\n]/gu, '').replace(/[&<>"']/g, (sign) => entities[sign] ?? '');

/** JSON that is safe in a script element: it can neither end the element nor begin a comment. */
export const jsonInHtml = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

export function tag(name: string, attributes: Readonly<Record<string, string>>): string {
  const written = Object.entries(attributes).map(([key, value]) => `${key}="${escaped(value)}"`);
  return `<${[name, ...written].join(' ')} />`;
}

const named = (name: string, content: string) => tag('meta', { name, content });
const property = (name: string, content: string) => tag('meta', { property: name, content });

function imageTags({ image }: Head): string[] {
  if (image === undefined) return [named('twitter:card', 'summary')];
  return [
    property('og:image', image.url),
    property('og:image:alt', image.alt),
    named('twitter:card', 'summary_large_image'),
  ];
}

function priceTags({ price }: Head): string[] {
  if (price === undefined) return [];
  return [
    property('product:price:amount', String(price)),
    property('product:price:currency', 'NGN'),
  ];
}

/** The tags of the head, one per line, every value escaped. */
export function headTags(head: Head): string {
  return [
    `<title>${escaped(head.title)}</title>`,
    named('description', head.description),
    ...(head.hidden === true ? [named('robots', 'noindex')] : []),
    tag('link', { rel: 'canonical', href: head.url }),
    property('og:site_name', 'Oja'),
    property('og:locale', 'en_NG'),
    property('og:type', head.type ?? 'website'),
    property('og:title', head.title),
    property('og:description', head.description),
    property('og:url', head.url),
    ...imageTags(head),
    ...priceTags(head),
    ...(head.preloads ?? []).map((preload) => tag('link', { rel: 'preload', ...preload })),
    ...(head.jsonLd === undefined
      ? []
      : [`<script type="application/ld+json">${jsonInHtml(head.jsonLd)}</script>`]),
  ].join('\n    ');
}
