import { limits } from '@oja/domain/rules';
import { useQuery } from '@tanstack/react-query';
import { Mail, MapPin, Phone } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useLocation, useSearchParams } from 'react-router-dom';
import { call } from '../../api/client.js';
import { ApiError } from '../../api/error.js';
import { errorMessage, isKeyReused, missingFieldsOf } from '../../api/failures.js';
import { settingsQuery } from '../../api/settings.js';
import type { Answer, Body } from '../../api/types.js';
import { createStoredKey } from '../../api/use-idempotency-key.js';
import { useIsStillOnPage } from '../../app/navigation.js';
import { createFormStorage } from '../../stores/form-storage.js';
import { Button } from '../../ui/Button.js';
import { Message, TextArea, TextField } from '../../ui/Field.js';
import * as fieldStyles from '../../ui/Field.module.css';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { Skeleton } from '../../ui/Skeleton.js';
import { StepButton } from '../../ui/States.js';
import { toast } from '../../ui/toast.js';
import { BarePage } from './BarePage.js';
import * as barePageStyles from './BarePage.module.css';
import * as styles from './ContactPage.module.css';

export default function ContactPage() {
  const { search } = useLocation();
  return (
    <BarePage title="Contact Us">
      <p className={`${layout.muted} ${barePageStyles.intro}`}>
        About an order, a store or anything else. Have your payment reference at hand if it is about
        a payment.
      </p>
      <div className={layout.twoColumns}>
        <WriteUs key={search} />
        <GetInTouch />
      </div>
    </BarePage>
  );
}

/** Other ways to reach us. */
function GetInTouch() {
  return (
    <aside className={`${panelStyles.panel} ${styles.contacts}`}>
      <h2>Get in touch</h2>
      <Details />
    </aside>
  );
}

function Details() {
  const { data, isError, fetchStatus, refetch } = useQuery(settingsQuery);
  if (data !== undefined) {
    const { phone, address, email } = data.support;
    if (phone === '' && address === '' && email === '')
      return <p className={layout.muted}>Write to us by the form on this page.</p>;
    return (
      <address>
        {phone !== '' && (
          <a href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
            <Icon of={Phone} />
            <span className={layout.figures}>{phone}</span>
          </a>
        )}
        {address !== '' && (
          <p>
            <Icon of={MapPin} />
            {address}
          </p>
        )}
        {email !== '' && (
          <a href={`mailto:${email}`}>
            <Icon of={Mail} />
            {email}
          </a>
        )}
      </address>
    );
  }
  if (isError || fetchStatus === 'paused')
    return (
      <div role="status" className={layout.stack}>
        <p className={layout.muted}>Our phone number and address did not load.</p>
        <StepButton onPress={() => void refetch()}>Try again</StepButton>
      </div>
    );
  return (
    <div className={layout.stack} aria-busy="true">
      <Skeleton height={28} />
      <Skeleton height={28} />
      <Skeleton height={28} />
    </div>
  );
}

/** The contact form. A page that links here may fix subject and message in the address. */
function WriteUs() {
  const { form, submit, errorLines, sent, locked } = useContact();
  const { errors, isSubmitting } = form.formState;
  return (
    <section className={panelStyles.panel}>
      <h2>Write Us</h2>
      {errorLines.length > 0 && (
        <div role="alert" className={styles.missing}>
          {errorLines.map((line) => (
            <Message key={line} kind="err">
              {line}
            </Message>
          ))}
        </div>
      )}
      <form
        className={`${fieldStyles.form} ${fieldStyles.twoColumns}`}
        onSubmit={submit}
        noValidate
        aria-label="Write Us"
      >
        <TextField
          label="Name"
          required
          autoComplete="name"
          maxLength={limits.buyerName.max}
          error={errors.name?.message}
          {...form.register('name')}
        />
        <TextField
          label="Email"
          required
          type="email"
          inputMode="email"
          autoComplete="email"
          maxLength={limits.email.max}
          error={errors.email?.message}
          {...form.register('email')}
        />
        <TextField
          label="Subject"
          required
          wide
          maxLength={limits.contactSubject.max}
          readOnly={locked.subject}
          error={errors.subject?.message}
          {...form.register('subject')}
        />
        <TextArea
          label="Message"
          required
          wide
          rows={6}
          maxLength={limits.contactMessage.max}
          readOnly={locked.message}
          error={errors.message?.message}
          {...form.register('message')}
        />
        <div className={fieldStyles.wide}>
          <Button type="submit" size="l" full busy={isSubmitting}>
            Send
          </Button>
          <div role="status">{sent && <Message kind="ok">Email sent successfully</Message>}</div>
        </div>
      </form>
    </section>
  );
}

/** In the order of the form. */
const contactFields = ['name', 'email', 'subject', 'message'] as const;

/** The product's wording for a missing field. */
function missingFieldText(field: string): string {
  return `${field === 'phoneNumber' ? 'mobile number' : field} is required`;
}

/** What the address gives for a field. It is locked, so it must be something that the server takes. */
const prefilled = (params: URLSearchParams, field: string, max: number) =>
  (params.get(field) ?? '').trim().slice(0, max);

/** State of the contact form: the values fixed by the address, what is typed, and what the server found missing. */
function useContact() {
  const [params] = useSearchParams();
  const subject = prefilled(params, 'subject', limits.contactSubject.max);
  const message = prefilled(params, 'message', limits.contactMessage.max);
  const [errorLines, setErrorLines] = useState<readonly string[]>([]);
  const [sent, setSent] = useState(false);
  const locked = { subject: subject !== '', message: message !== '' };
  const empty = { name: '', email: '', subject, message };
  const fixed = { ...(locked.subject && { subject }), ...(locked.message && { message }) };
  const form = useForm<ContactMessage>({
    defaultValues: { ...empty, ...formStorage.load(), ...fixed },
  });
  useEffect(() => {
    // What the address gives was not typed.
    const typing = form.watch(({ name, email, ...open }) =>
      formStorage.save({
        name,
        email,
        ...(subject === '' && { subject: open.subject }),
        ...(message === '' && { message: open.message }),
      }),
    );
    return () => typing.unsubscribe();
  }, [form, subject, message]);
  const isStillOnPage = useIsStillOnPage();

  const showRefusal = (error: unknown) => {
    const failure = error instanceof ApiError ? error : undefined;
    const missing = missingFieldsOf(error);
    const emailError = failure?.body.emailError;
    const wrong = contactFields.flatMap((field) => {
      if (missing.includes(field)) return [[field, missingFieldText(field)] as const];
      if (field === 'email' && typeof emailError === 'string')
        return [[field, emailError] as const];
      const problem = failure?.errors[field];
      return problem === undefined ? [] : [[field, `${field} ${problem}`] as const];
    });
    for (const [place, [field, text]] of wrong.entries())
      form.setError(field, { message: text }, { shouldFocus: place === 0 });
    if (missing.length > 0) setErrorLines(missing.map(missingFieldText));
    else if (wrong.length === 0) setErrorLines([errorMessage(error)]);
  };

  const submit = form.handleSubmit(async (letter) => {
    setErrorLines([]);
    setSent(false);
    try {
      await withKey((key) => sendMessage(letter, key));
      // What was typed meanwhile is the next message, on another visit to the page too.
      for (const field of contactFields)
        if (form.getValues(field) === letter[field])
          form.resetField(field, { defaultValue: empty[field] });
      const kept = formStorage.load();
      const newer = contactFields.filter((field) => kept[field] !== letter[field]);
      formStorage.save(Object.fromEntries(newer.map((field) => [field, kept[field]])));
      setSent(true);
      toast.success('Email sent successfully');
    } catch (error) {
      const isBefore = isKeyReused(error);
      if (isBefore) setErrorLines([ALREADY_SENT]);
      else showRefusal(error);
      const why = isBefore ? ALREADY_SENT : errorMessage(error);
      if (!isStillOnPage()) toast.error(why, { title: 'Your message was not sent' });
    }
  });
  return { form, submit, errorLines, sent, locked };
}

/** To look up a payment reference one leaves the page, and phones close tabs without a word. */
const formStorage = createFormStorage('oja-contact', contactFields);

const withKey = createStoredKey('oja-contact-sent');
const ALREADY_SENT =
  'We have your message, as you wrote it first. Press Send again to send this one too.';

type ContactMessage = Required<Body<'sendEmail'>>;

/** @throws ApiError; its body has `missingFields` or `emailError` when the form is at fault */
function sendMessage(message: ContactMessage, key: string): Promise<Answer<'sendEmail'>> {
  // A seller may be signed in or out between two presses: it stays one message.
  return call('sendEmail', { body: message, key, anonymous: true });
}
