import { pagePaths } from '@oja/contracts/pages';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, vi } from 'vitest';
import ProfilePage from '../src/features/dashboard/ProfilePage.js';
import { signIn } from '../src/stores/session.js';
import { renderAt } from './render.js';
import { aSeller } from './sellers.js';
import { setUpSignedInPages } from './signed-in-pages.js';

export const oldAccount = {
  account_name: 'Ada Obi',
  account_number: '0000000001',
  bank_code: '058',
};
export const noLetters = { email: null as string | null, on: false, asked: null as object | null };
export const me = {
  ...aSeller(),
  userId: 's7',
  phone_1: '08065512904',
  created_at: '2026-09-05T13:31:24.644Z',
};
export const asked = { email: 'ada@example.com', ends_at: '2026-11-21T10:30:00.000Z' };

/**
 * What the market has, and the writes that were sent to it. It takes every write, and answers as `answers` says: a lost
 * answer is one that the proxy made up.
 */
const market = {
  has: { me, account: null as typeof oldAccount | null, letters: noLetters },
  answers: 'heard' as 'heard' | 'lost' | 'offline',
  sent: [] as { readonly key: string | null; readonly body: unknown }[],
};

const ok = (body: object) => HttpResponse.json({ success: true, ...body });
const read = (body: () => object) => () =>
  market.answers === 'offline' ? HttpResponse.error() : ok(body());
const taken = async (request: Request, change: (body: object) => object, answer: object = {}) => {
  const key = request.headers.get('Idempotency-Key');
  const body: object = request.method === 'DELETE' ? {} : Object(await request.json());
  const isNew = !market.sent.some((one) => one.key === key);
  market.sent.push({ key, body });
  if (isNew) market.has = { ...market.has, ...change(body) };
  if (market.answers === 'heard') return ok(answer);
  if (market.answers === 'offline') return HttpResponse.error();
  return new HttpResponse('<h1>502 Bad Gateway</h1>', { status: 502 });
};

/** For the tests of the profile page: a seller is signed in, and a market has what the page shows and changes. */
export function setUpAccount() {
  const { server, toastTexts } = setUpSignedInPages();

  beforeEach(() => {
    market.has = { me, account: oldAccount, letters: noLetters };
    market.answers = 'heard';
    market.sent = [];
    signIn(aSeller(), 'token');
    vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => market.answers !== 'offline');
    server.use(
      http.get(
        '*/v1/user/single-user',
        read(() => ({ result: [market.has.me] })),
      ),
      http.get(
        '*/v1/user/payout-account',
        read(() => ({ account: market.has.account })),
      ),
      http.get(
        '*/v1/user/letters',
        read(() => market.has.letters),
      ),
      http.put('*/v1/user/update/s7', ({ request }) =>
        taken(request, (body) => ({ me: { ...me, ...body } }), { userDetails: market.has.me }),
      ),
      http.put('*/v1/user/payout-account', ({ request }) =>
        taken(request, (body) => {
          const { password: _, ...account } = Object(body);
          return { account };
        }),
      ),
      http.post('*/v1/user/letters/address', ({ request }) =>
        taken(request, () => ({ letters: { ...market.has.letters, asked } }), {
          ends_at: asked.ends_at,
        }),
      ),
      http.put('*/v1/user/letters/address', ({ request }) =>
        taken(request, () => ({ letters: { email: asked.email, on: true, asked: null } })),
      ),
      http.delete('*/v1/user/letters/address', ({ request }) =>
        taken(request, () => ({ letters: noLetters })),
      ),
      http.put('*/v1/user/letters', ({ request }) =>
        taken(request, (body) => ({ letters: { ...market.has.letters, ...body } })),
      ),
    );
  });

  const open = () =>
    renderAt('/dashboard/profile', [{ path: pagePaths.profile, element: <ProfilePage /> }]);
  const panel = (name: string) => within(screen.getByRole('region', { name }));
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
  const pressOnce = async (name: string) =>
    fireEvent.click(await screen.findByRole('button', { name }));
  const type = (label: string | RegExp, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  const isAnswered = () => waitFor(() => expect(toastTexts).toHaveLength(1));
  return { server, toastTexts, market, open, panel, press, pressOnce, type, isAnswered };
}
