import { limits } from '@oja/domain/rules';
import { Button } from '../../ui/Button.js';
import { Message } from '../../ui/Field.js';
import { TextArea } from '../../ui/TextArea.js';
import { TextField } from '../../ui/TextField.js';
import { useContact } from './use-contact.js';

/** A message to the support. A page that sends people here may have said already what it is about. */
export function WriteUs() {
  const { form, submit, lines, sent, locked } = useContact();
  const { errors, isSubmitting } = form.formState;
  return (
    <section className="panel">
      <h2>Write Us</h2>
      {lines.length > 0 && (
        <div role="alert" className="missing">
          {lines.map((line) => (
            <Message key={line} kind="err">
              {line}
            </Message>
          ))}
        </div>
      )}
      <form className="form two" onSubmit={submit} noValidate aria-label="Write Us">
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
        <div className="w">
          <Button type="submit" size="l" full busy={isSubmitting}>
            Send
          </Button>
          <div role="status">{sent && <Message kind="ok">Email sent successfully</Message>}</div>
        </div>
      </form>
    </section>
  );
}
