import { HttpResponse, http } from 'msw';

/**
 * A market that does one thing of a key, and whose first answer is lost. The same content is answered again; another one is
 * told that the key is used.
 * @param lost what comes in place of the first answer
 * @param answer the answers after it
 */
export function firstAnswerLost(path: string, lost: () => Response, answer: () => Response) {
  /** What it has done, by key. */
  const taken = new Map<string | null, string>();
  let isFirst = true;
  const handler = http.post(path, async ({ request }) => {
    const key = request.headers.get('Idempotency-Key');
    const body = JSON.stringify(await request.json());
    const isOther = taken.has(key) && taken.get(key) !== body;
    if (!isOther) taken.set(key, body);
    const isLost = isFirst;
    isFirst = false;
    if (isOther)
      return HttpResponse.json({ code: 'idempotency_key_reused', message: '' }, { status: 422 });
    return isLost ? lost() : answer();
  });
  return { handler, taken };
}
