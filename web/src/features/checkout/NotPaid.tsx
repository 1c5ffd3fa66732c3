import { Clock, X } from 'lucide-react';
import { Button, ButtonLink } from '../../ui/Button.js';
import { Reference } from './Reference.js';
import { Seal } from './Seal.js';
import { messages, type Verification } from './use-verification.js';

type Failed = Exclude<Verification, { readonly state: 'asking' | 'paid' }>;

/** Statuses of a payment that may still succeed by itself. */
const underWay: readonly string[] = ['pending', 'ongoing', 'processing', 'queued'];

/** Statuses of money that came and does not stay. */
const moneyBack: Readonly<Record<string, string>> = {
  mismatched:
    'What was paid is not what this order costs. It goes back to you in full; write to us if it does not come.',
  reversed: 'This payment was taken back. Your bank gives you the money.',
};

interface NotPaidProps {
  readonly verification: Failed;
  readonly reference: string;
  readonly onAgain: () => void;
}

/** The money has not come, or nobody can say. */
export function NotPaid({ verification, reference, onAgain }: NotPaidProps) {
  const { state } = verification;
  const message = messages[state];
  const waiting = state === 'unpaid' && underWay.includes(verification.status ?? '');
  return (
    <>
      <Seal of={waiting ? Clock : X} tone={waiting ? 'wait' : 'bad'} />
      <p className="muted small">Payment Verification</p>
      <h1>{message}</h1>
      <p className="muted advice">{adviceFor(verification)}</p>
      <div className="acts2">
        <ButtonLink size="l" full to={contactAddress(message, reference)}>
          Contact us
        </ButtonLink>
        {state !== 'no-reference' && (
          <Button look="line" full onClick={onAgain}>
            Check again
          </Button>
        )}
        {verification.state === 'unpaid' && !waiting && (
          <ButtonLink look="ghost" full to="/payment-form">
            Back to the payment form
          </ButtonLink>
        )}
      </div>
      {reference !== '' && <Reference text={reference} />}
    </>
  );
}

function adviceFor(verification: Failed): string {
  if (verification.state === 'no-reference')
    return 'The address of this page lacks the reference of your payment. If you have paid, your receipt comes by mail; if none comes, write to us.';
  if (verification.state === 'failed')
    return 'We could not ask after your payment. If money left your account it is not lost: check again, or write to us.';
  const status = verification.status ?? '';
  if (underWay.includes(status))
    return 'Your bank has not finished yet. Wait a little, then check again.';
  return (
    moneyBack[status] ??
    'No money has reached us, and your cart is as it was. If your bank says otherwise, write to us.'
  );
}

/** The contact form with what we need to know already in it. The subject is spelled as the product spells it. */
export function contactAddress(message: string, reference: string): string {
  const about = reference === '' ? 'There is no reference.' : `Reference: ${reference}`;
  return `/contact?${new URLSearchParams({
    subject: 'VERFICATION ERROR',
    message: `${message} ${about}`,
  })}`;
}
