import { useState } from 'react';
import { type FieldErrors, useForm } from 'react-hook-form';
import { ApiError, messageOf } from '../../api/error.js';
import { toast } from '../../ui/toast.js';
import { type Registration, register, type SignedInAnswer } from './api.js';
import { digits, rules } from './rules.js';
import { useNameCheck } from './use-name-check.js';

const names = ['name', 'businessName', 'phone_1', 'password'] as const;

/** Says what is wrong with each field; react-hook-form then puts the focus on the first. */
function resolver(values: Registration) {
  const errors: FieldErrors<Registration> = Object.fromEntries(
    names.flatMap((name) => {
      const message = rules[name](values[name]);
      return message === true ? [] : [[name, { type: 'rule', message }]];
    }),
  );
  return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors };
}

/** The sign-up form: its rules, the live check of the name, and what the server says. */
export function useRegistration(done: (answer: SignedInAnswer) => Promise<void>) {
  const [failure, setFailure] = useState<string>();
  const form = useForm<Registration>({
    defaultValues: { name: '', businessName: '', phone_1: '', password: '' },
    resolver,
  });
  const nameCheck = useNameCheck(form.watch('businessName'));

  const send = async (typed: Registration) => {
    if (nameCheck === 'taken') return form.setFocus('businessName');
    setFailure(undefined);
    try {
      await done(await register({ ...typed, phone_1: digits(typed.phone_1) }));
    } catch (error) {
      setFailure(messageOf(error));
      const wrong = error instanceof ApiError ? error.errors : {};
      for (const name of names) {
        const message = wrong[name];
        if (message !== undefined) form.setError(name, { message }, { shouldFocus: true });
      }
    }
  };
  const submit = form.handleSubmit(send, () => {
    if (nameCheck === 'unknown') toast.error('Please enter your Business Name.');
  });
  return { form, failure, submit, nameCheck };
}
