import { useSearchParams } from 'react-router-dom';
import { Screen } from '../../app/Screen.js';
import '../../styles/parts/checkout.css';
import { Spinner } from '../../ui/Spinner.js';
import { Stepper } from '../../ui/Stepper.js';
import './checkout.css';
import { NotPaid } from './NotPaid.js';
import { Paid } from './Paid.js';
import { useVerification } from './use-verification.js';

/** The way back from the provider: asks the server whether the money has come. */
export function Component() {
  const [params] = useSearchParams();
  const reference = params.get('reference') || params.get('trxref') || '';
  const { verification, again } = useVerification(reference);
  const asking = verification.state === 'asking';
  return (
    <Screen title="Payment Verification" className="page narrow">
      <div className="stepline">
        <Stepper now={verification.state === 'paid' ? 3 : 2} />
      </div>
      <section className="panel c big1" aria-live="polite" aria-busy={asking}>
        {asking && (
          <>
            <h1>Payment Verification</h1>
            <Spinner label="Verifying your payment" />
            <p className="muted">Asking after your payment. This takes a few seconds.</p>
          </>
        )}
        {verification.state === 'paid' && (
          <Paid reference={reference} orderKey={verification.orderKey} />
        )}
        {verification.state !== 'asking' && verification.state !== 'paid' && (
          <NotPaid verification={verification} reference={reference} onAgain={again} />
        )}
      </section>
    </Screen>
  );
}
