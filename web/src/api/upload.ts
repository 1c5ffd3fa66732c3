import { REQUEST_TIMEOUT_MS } from './client.js';
import { ApiError } from './error.js';
import type { Settings } from './types.js';

interface PictureUpload {
  readonly file: Blob;
  readonly to: Settings['imageUpload'];
  /** 0 to 1, as it goes out. `fetch` cannot tell, so this is the one call made without it. */
  readonly onProgress?: (part: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Sends one picture to the image host, without credentials, as the host's unsigned upload wants it.
 * @returns the picture's address
 * @throws ApiError
 */
export function uploadPicture({ file, to, onProgress, signal }: PictureUpload): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.append('file', file);
    form.append('upload_preset', to.uploadPreset);
    const stop = () => request.abort();
    const fail = (code: string, message: string) =>
      reject(new ApiError({ status: 0, code, message }));

    request.open('POST', to.url);
    request.timeout = REQUEST_TIMEOUT_MS;
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    };
    request.onload = () => {
      const { address, message } = readAnswer(request.responseText);
      if (request.status < 400 && address !== undefined) resolve(address);
      else
        reject(
          new ApiError({
            status: request.status,
            message: message ?? 'The picture was not taken.',
          }),
        );
    };
    request.onerror = () =>
      fail(navigator.onLine ? 'network' : 'offline', 'The picture could not be sent.');
    request.ontimeout = () => fail('timeout', 'The picture could not be sent.');
    request.onabort = () => fail('aborted', 'Stopped.');
    request.onloadend = () => signal?.removeEventListener('abort', stop);
    signal?.addEventListener('abort', stop);
    request.send(form);
  });
}

interface HostAnswer {
  readonly secure_url?: unknown;
  readonly error?: { readonly message?: unknown } | null;
}

function readAnswer(text: string): { readonly address?: string; readonly message?: string } {
  try {
    const answer: HostAnswer | null = JSON.parse(text);
    const address = answer?.secure_url;
    const message = answer?.error?.message;
    return {
      ...(typeof address === 'string' && { address }),
      ...(typeof message === 'string' && { message }),
    };
  } catch {
    return {};
  }
}
