import { pagePaths } from '@oja/contracts/pages';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from 'vitest';
import { expectAccessible } from '../../../test/axe.js';
import { expectErrors } from '../../../test/console.js';
import { delayedAnswer } from '../../../test/delayed.js';
import { firstAnswerLost } from '../../../test/lost-answer.js';
import { renderAt } from '../../../test/render.js';
import { aSeller } from '../../../test/sellers.js';
import { queryClient } from '../../api/query-client.js';
import { signIn, signOut } from '../../stores/session.js';
import About from './AboutPage.js';
import Contact from './ContactPage.js';
import Privacy from './PrivacyPage.js';
import Terms from './TermsPage.js';

const server = setupServer();
let sent: unknown[] = [];
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
const supportIs = (support: { email: string; phone: string; address: string }) =>
  server.use(
    http.get('*/v1/settings', () =>
      HttpResponse.json({
        imageUpload: { url: '', uploadPreset: '' },
        pushPublicKey: null,
        dropOffAddress: '',
        support,
        demo: true,
      }),
    ),
  );
beforeEach(() => {
  sessionStorage.clear();
  sent = [];
  supportIs({
    email: 'help@oja.example',
    phone: '0803 000 1122',
    address: '1 Market Road, Nsukka',
  });
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const show = (address: string) =>
  renderAt(address, [
    { path: pagePaths.about, element: <About /> },
    { path: pagePaths.contact, element: <Contact /> },
    { path: pagePaths.terms, element: <Terms /> },
    { path: pagePaths.privacy, element: <Privacy /> },
  ]);
const headings = () => screen.getAllByRole('heading').map((heading) => heading.textContent);

describe('the static pages', () => {
  it('About promises Safest, Easiest, Fastest, Market', async () => {
    const { container } = show('/about');
    expect(headings()).toEqual(
      expect.arrayContaining(['About Us', 'Safest', 'Easiest', 'Fastest', 'Market']),
    );
    await expectAccessible(container);
  });

  it('the terms name the charge, the account and courtesy', async () => {
    const { container } = show('/terms-&-conditions');
    expect(screen.getByText('₦30,000')).toBeTruthy();
    expect(screen.getByText(/All transactions must go through Oja’s account/)).toBeTruthy();
    expect(screen.getByText(/Sellers must be courteous/)).toBeTruthy();
    await expectAccessible(container);
  });

  it('the privacy policy has its breadcrumb, its sections and the support’s address', async () => {
    const { container } = show('/privacy-policy');
    const crumbs = screen.getByRole('navigation', { name: 'Breadcrumb' });
    expect(crumbs.textContent).toBe('Home|Privacy Policy');
    expect(headings()).toEqual(
      expect.arrayContaining([
        'Personal information',
        'Demographic information',
        'Financial information',
        'Usage information',
        'How we use your information',
        'Third parties',
        'Your choices',
        'Security',
        'Changes',
      ]),
    );
    const address = await screen.findByRole('link', { name: 'help@oja.example' });
    expect(address.getAttribute('href')).toBe('mailto:help@oja.example');
    await expectAccessible(container);
  });
});

describe('contact', () => {
  const answers = (status: number, body: object) =>
    server.use(
      http.post('*/v1/email/sendEmail', async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json(body, { status });
      }),
    );
  const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
  const type = (name: string, value: string) =>
    fireEvent.change(field(name), { target: { value } });
  const send = () => fireEvent.click(screen.getByRole('button', { name: 'Send' }));

  it('shows where else to reach the support', async () => {
    const { container } = show('/contact');
    const touch = within(screen.getByRole('complementary'));
    expect(touch.getByRole('heading', { name: 'Get in touch' })).toBeTruthy();
    expect(await touch.findByText('0803 000 1122')).toBeTruthy();
    expect(touch.getByText('1 Market Road, Nsukka')).toBeTruthy();
    await expectAccessible(container);
  });

  it('goes on at the heading when it is asked again where else to reach the support', async () => {
    expectErrors(/That did not work/);
    server.use(http.get('*/v1/settings', () => HttpResponse.json({}, { status: 403 })));
    show('/contact');
    const again = await screen.findByRole('button', { name: 'Try again' });
    server.resetHandlers();
    supportIs({ email: '', phone: '0803 000 1122', address: '' });
    again.focus();
    fireEvent.click(again);
    await screen.findByText('0803 000 1122');
    expect(document.activeElement?.textContent).toBe('Contact Us');
  });

  it('shows only what there is of the support, and its form where there is nothing else', async () => {
    supportIs({ email: '', phone: '0803 000 1122', address: '' });
    const first = show('/contact');
    const details = () => within(screen.getByRole('complementary'));
    expect(await details().findByText('0803 000 1122')).toBeTruthy();
    expect(details().getAllByRole('link')).toHaveLength(1);
    first.unmount();
    queryClient.clear();
    supportIs({ email: '', phone: '', address: '' });
    show('/contact');
    expect(await details().findByText('Write to us by the form on this page.')).toBeTruthy();
    expect(details().queryByRole('link')).toBeNull();
  });

  it('is the way to the support from the policy, where that has no address', async () => {
    supportIs({ email: '', phone: '', address: '' });
    show('/privacy-policy');
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    const way = screen.getByRole('link', { name: 'our contact page' });
    expect(way.getAttribute('href')).toBe('/contact');
  });

  it('sends the message, says so, and clears the form', async () => {
    answers(200, { success: true, message: 'Email sent successfully' });
    show('/contact');
    type('Name', 'Chiamaka');
    type('Email', 'chiamaka@example.com');
    type('Subject', 'My store');
    type('Message', 'How do I rename it?');
    send();
    expect(await screen.findByText('Email sent successfully')).toBeTruthy();
    expect(sent).toEqual([
      {
        name: 'Chiamaka',
        email: 'chiamaka@example.com',
        subject: 'My store',
        message: 'How do I rename it?',
      },
    ]);
    for (const name of ['Name', 'Email', 'Subject', 'Message']) expect(field(name).value).toBe('');
  });

  it('keeps what is typed while a message is being sent', async () => {
    const answer = delayedAnswer(() => HttpResponse.json({ success: true, message: 'sent' }));
    server.use(http.post('*/v1/email/sendEmail', answer.resolver));
    show('/contact?subject=VERFICATION%20ERROR');
    type('Name', 'Chiamaka');
    type('Message', 'How do I rename it?');
    send();
    const button = screen.getByRole('button', { name: 'Send' });
    await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'));
    type('Message', 'And how do I close it?');
    answer.release();
    await screen.findByText('Email sent successfully');
    expect(field('Message').value).toBe('And how do I close it?');
    expect(field('Name').value).toBe('');
    expect(field('Subject').value).toBe('VERFICATION ERROR');
    cleanup();
    show('/contact');
    expect(field('Message').value).toBe('And how do I close it?');
    expect(field('Name').value).toBe('');
    expect(field('Subject').value).toBe('');
  });

  it('keeps what was typed through a look at another page, but not what the address gave', async () => {
    const first = show('/contact?subject=VERFICATION%20ERROR');
    type('Email', 'chiamaka@example.com');
    type('Message', 'My reference is');
    first.unmount();
    show('/contact');
    expect(field('Email').value).toBe('chiamaka@example.com');
    expect(field('Message').value).toBe('My reference is');
    expect(field('Subject').value).toBe('');
    answers(200, { success: true, message: 'Email sent successfully' });
    send();
    await screen.findByText('Email sent successfully');
    expect(field('Message').value).toBe('');
    cleanup();
    show('/contact');
    expect(field('Message').value).toBe('');
  });

  it.each([
    ['was lost', { message: 'Not now' }, 503],
    ['is still being waited for', { message: 'Not now', code: 'in_progress' }, 409],
    ['is kept back by a limit', { message: 'Not now' }, 429],
  ])(
    'sends a message whose answer %s again as the same one, whoever logs in meanwhile',
    async (_, body, status) => {
      const keys: (string | null)[] = [];
      const tokens: (string | null)[] = [];
      server.use(
        http.post('*/v1/email/sendEmail', ({ request }) => {
          keys.push(request.headers.get('Idempotency-Key'));
          tokens.push(request.headers.get('Authorization'));
          return keys.length === 1
            ? HttpResponse.json(body, { status })
            : HttpResponse.json({ success: true, message: 'Email sent successfully' });
        }),
      );
      show('/contact');
      type('Message', 'How do I rename it?');
      send();
      await screen.findByText('Not now');
      act(() => signIn(aSeller(), 'token'));
      onTestFinished(() => signOut());
      send();
      await screen.findByText('Email sent successfully');
      expect(keys[1]).toBe(keys[0]);
      // To the market, the same key of somebody else is another message.
      expect(tokens).toEqual([null, null]);
    },
  );

  it.each([
    ['changed', 'How do I rename it?!', 'We have your message, as you wrote it first'],
    ['sent again after a reload', 'How do I rename it?', 'Email sent successfully'],
  ])('sends a message whose answer was lost once, also when it is %s', async (_, then, told) => {
    const { handler, taken } = firstAnswerLost(
      '*/v1/email/sendEmail',
      () => HttpResponse.json({ message: 'Not now' }, { status: 503 }),
      () => HttpResponse.json({ success: true, message: 'Email sent successfully' }),
    );
    server.use(handler);
    show('/contact');
    type('Message', 'How do I rename it?');
    send();
    await screen.findByText('Not now');
    cleanup();
    show('/contact');
    type('Message', then);
    send();
    expect(await screen.findByText(told, { exact: false })).toBeTruthy();
    expect(taken.size).toBe(1);
    expect(field('Message').value).toBe(told.startsWith('Email') ? '' : then);
    if (then === 'How do I rename it?') return;
    send();
    await screen.findByText('Email sent successfully');
    expect(taken.size).toBe(2);
  });

  it('no longer says that one message was sent when the next is refused', async () => {
    answers(200, { success: true, message: 'Email sent successfully' });
    show('/contact');
    send();
    await screen.findByText('Email sent successfully');
    await screen.findByRole('button', { name: 'Send', busy: false });
    answers(429, { success: false, message: 'Too many messages. Wait a little.' });
    send();
    await screen.findByText('Too many messages. Wait a little.');
    expect(screen.queryByText('Email sent successfully')).toBeNull();
  });

  it('takes subject and message from the address, and locks them', async () => {
    answers(200, { success: true, message: 'Email sent successfully' });
    show('/contact?subject=VERFICATION%20ERROR&message=Reference%3A%207');
    expect(field('Subject')).toMatchObject({ value: 'VERFICATION ERROR', readOnly: true });
    expect(field('Message')).toMatchObject({ value: 'Reference: 7', readOnly: true });
    type('Name', 'Chiamaka');
    type('Email', 'chiamaka@example.com');
    send();
    await screen.findByText('Email sent successfully');
    expect(sent).toMatchObject([{ subject: 'VERFICATION ERROR', message: 'Reference: 7' }]);
    expect(field('Name').value).toBe('');
    expect(field('Subject').value).toBe('VERFICATION ERROR');
  });

  it('leaves a field open for which the address has only blanks', () => {
    show('/contact?subject=%20%20&message=%0A');
    expect(field('Subject')).toMatchObject({ value: '', readOnly: false });
    expect(field('Message')).toMatchObject({ value: '', readOnly: false });
  });

  it('locks no more than can be sent', () => {
    show(`/contact?subject=${'s'.repeat(201)}&message=${'m'.repeat(5_001)}`);
    expect(field('Subject').value).toHaveLength(200);
    expect(field('Message').value).toHaveLength(5_000);
  });

  it('lists what the server misses, and says it at each field', async () => {
    answers(400, {
      success: false,
      message: 'name is required',
      missingFields: ['name', 'message', 'phoneNumber'],
    });
    const { container } = show('/contact');
    type('Email', 'chiamaka@example.com');
    send();
    const list = await screen.findByRole('alert');
    expect([...list.children].map((line) => line.textContent)).toEqual([
      'name is required',
      'message is required',
      'mobile number is required',
    ]);
    expect(field('Name').getAttribute('aria-invalid')).toBe('true');
    expect(field('Message').getAttribute('aria-invalid')).toBe('true');
    expect(field('Email').value).toBe('chiamaka@example.com');
    expect(document.activeElement).toBe(field('Name'));
    await expectAccessible(container);
  });

  it('says on the email line that the address is wrong', async () => {
    answers(400, { success: false, message: 'x', emailError: 'Invalid email format' });
    show('/contact');
    type('Email', 'chiamaka');
    send();
    expect(await screen.findByText('Invalid email format')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(field('Email')));
  });

  it('keeps what was typed when the message could not be sent', async () => {
    answers(429, { success: false, message: 'Too many messages. Wait a little.' });
    show('/contact');
    type('Message', 'Hello');
    send();
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Too many messages. Wait a little.',
    );
    expect(field('Message').value).toBe('Hello');
  });
});
