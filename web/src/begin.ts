/**
 * The one script that a rendered page asks for by itself. It fetches the app once the page has been painted: until
 * then network and processor belong to what people look at. The server writes what there is to fetch beside it.
 */
const own = document.querySelector<HTMLScriptElement>('script[data-entry]');

function begin(): void {
  for (const href of own?.dataset.ahead?.split(' ') ?? []) {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'modulepreload', href, crossOrigin: '' });
    document.head.append(link);
  }
  void import(/* @vite-ignore */ own?.dataset.entry ?? '');
}

// A tab in the background is not painted.
if (document.hidden) begin();
else requestAnimationFrame(() => setTimeout(begin));

export {};
