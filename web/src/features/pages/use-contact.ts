import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useSearchParams } from 'react-router-dom';
import { type ContactMessage, sendMessage } from '../../api/contact.js';
import { ApiError, messageOf } from '../../api/error.js';
import { toast } from '../../ui/toast.js';

/** In the order in which they stand. */
export const contactFields = ['name', 'email', 'subject', 'message'] as const;

/** How the product says that a field is missing. */
export function missingLine(field: string): string {
  return `${field === 'phoneNumber' ? 'mobile number' : field} is required`;
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** 'Write Us': what the address fixes, what is typed, and what the server finds missing. */
export function useContact() {
  const [params] = useSearchParams();
  const subject = params.get('subject') ?? '';
  const message = params.get('message') ?? '';
  const [lines, setLines] = useState<readonly string[]>([]);
  const [sent, setSent] = useState(false);
  const form = useForm<ContactMessage>({
    defaultValues: { name: '', email: '', subject, message },
  });

  const refused = (error: unknown) => {
    const failure = error instanceof ApiError ? error : undefined;
    const missing = strings(failure?.body.missingFields);
    const [emailError] = strings([failure?.body.emailError]);
    const wrong = contactFields.flatMap((field) => {
      if (missing.includes(field)) return [[field, missingLine(field)] as const];
      if (field === 'email' && emailError !== undefined) return [[field, emailError] as const];
      const said = failure?.errors[field];
      return said === undefined ? [] : [[field, `${field} ${said}`] as const];
    });
    for (const [place, [field, text]] of wrong.entries())
      form.setError(field, { message: text }, { shouldFocus: place === 0 });
    if (missing.length > 0) setLines(missing.map(missingLine));
    else if (wrong.length === 0) setLines([messageOf(error)]);
  };

  const submit = form.handleSubmit(async (typed) => {
    setLines([]);
    setSent(false);
    try {
      await sendMessage(typed);
      form.reset();
      setSent(true);
      toast.success('Email sent successfully');
    } catch (error) {
      refused(error);
    }
  });
  return {
    form,
    submit,
    lines,
    sent,
    locked: { subject: subject !== '', message: message !== '' },
  };
}
