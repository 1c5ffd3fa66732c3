import { pagePaths } from '@oja/contracts/pages';
import { limits, orderKeyParts } from '@oja/domain/rules';
import { cleanLines } from '@oja/domain/rules/user-input';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { PackageCheck, PackageX } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { newIdempotencyKey } from '../../api/client.js';
import { errorMessage, isRefused } from '../../api/failures.js';
import { invalidate } from '../../api/query-client.js';
import type { Order } from '../../api/types.js';
import { useIdempotencyKey } from '../../api/use-idempotency-key.js';
import { useIsStillOnPage } from '../../app/navigation.js';
import { createFormStorage } from '../../stores/form-storage.js';
import { saveOrder, setDeliveryStatus } from '../../stores/orders.js';
import { Button } from '../../ui/Button.js';
import { Checkbox } from '../../ui/Checkbox.js';
import { Dialog } from '../../ui/Dialog.js';
import { Message, TextArea } from '../../ui/Field.js';
import * as fieldStyles from '../../ui/Field.module.css';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { Naira } from '../../ui/Price.js';
import { Stepper } from '../../ui/Stepper.js';
import { toast } from '../../ui/toast.js';
import { confirmDelivery, orderQuery, reportNotReceived, reportProblem } from './api.js';
import {
  describeSettledShares,
  formatTime,
  heldSellers,
  OrderGoods,
  OtherPayment,
} from './order.js';
import * as styles from './order.module.css';

/** 'Have you received the product?' Yes pays the sellers, No keeps the money held. */
export function DeliveryQuestion({ order }: { readonly order: Order }) {
  const { yes, no, sending, error } = useDeliveryAnswer(order.transactionId);
  const settled = describeSettledShares(order);
  const held = heldSellers(order);
  return (
    <>
      <div className={styles.steps}>
        <Stepper current={3} />
      </div>
      <section className={`${panelStyles.panel} ${styles.outcome}`}>
        <h1 className={layout.centered}>Have you received the product?</h1>
        <p className={`${layout.muted} ${layout.centered} ${styles.checkFirst}`}>
          Check that everything is here and as described before you answer. Yes pays the sellers; it
          cannot be taken back.
        </p>
        {settled !== '' && (
          <p className={`${layout.small} ${layout.centered} ${styles.notAsked}`}>
            {settled} Yes pays {held}.
          </p>
        )}
        <OtherPayment order={order} className={layout.centered} />
        <OrderGoods goods={order.lines} showSellers />
        {error !== null && (
          <Message kind="err" role="alert" className={styles.answerFailed}>
            {errorMessage(error)}
          </Message>
        )}
        <div className={styles.choices}>
          <Button look="safe" className={styles.answer} onClick={yes} busy={sending}>
            <Icon of={PackageCheck} />
            Yes
          </Button>
          <Button look="line" className={styles.answer} onClick={no} busy={sending}>
            <Icon of={PackageX} />
            No
          </Button>
        </div>
        <p className={`${layout.small} ${layout.muted} ${layout.centered} ${styles.after}`}>
          {settled === '' ? (
            <>
              No keeps your <Naira amount={order.amount} /> held
            </>
          ) : (
            `No keeps the money for the goods of ${held} held`
          )}
          , and we look into it with the seller.
        </p>
        <ProblemReport order={order} />
      </section>
    </>
  );
}

/** How long the toast after No stays, in ms. */
const NOT_DELIVERED_MS = 3_000;

/** Yes and No. Each keeps its idempotency key, so a press repeated after a failure is the same press to the server. */
function useDeliveryAnswer(orderKey: string) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [idempotencyKeys] = useState(() => ({ yes: newIdempotencyKey(), no: newIdempotencyKey() }));
  const isStillOnPage = useIsStillOnPage();

  const reload = () => void invalidate(orderQuery(orderKey).queryKey);
  /** Leaves the page and drops the cached order, which is older than the answer. */
  const leave = async () => {
    if (!isStillOnPage()) return reload();
    await navigate(pagePaths.home);
    client.removeQueries({ queryKey: orderQuery(orderKey).queryKey });
  };

  const yes = useMutation({
    mutationFn: () => confirmDelivery(orderKey, idempotencyKeys.yes),
    onSuccess: async () => {
      saveOrder(orderKey, 'closed');
      setDeliveryStatus('AVAILABLE');
      await leave();
      toast.success('Thank you. Your money goes to the sellers now.', {
        title: 'Delivery confirmed',
      });
    },
    onError: reload,
  });
  const no = useMutation({
    mutationFn: () => reportNotReceived(orderKey, idempotencyKeys.no),
    onSuccess: async () => {
      setDeliveryStatus('Pending');
      await leave();
      toast.error('Product not delivered!!!!', { title: 'Failed', duration: NOT_DELIVERED_MS });
    },
    onError: reload,
  });
  const ask = (answer: typeof yes, other: typeof yes) => () => {
    other.reset();
    answer.mutate();
  };
  return {
    yes: ask(yes, no),
    no: ask(no, yes),
    sending: yes.isPending || no.isPending,
    error: yes.error ?? no.error,
  };
}

interface ProblemReportProps {
  readonly order: Order;
  /** What the button's name says besides: which order it is about, where there are several. */
  readonly children?: ReactNode;
}

/** The button to report a problem, from 48 hours after payment; before that, when it will be possible. */
export function ProblemReport({ order, children }: ProblemReportProps) {
  if (order.may_report_problem) return <ProblemButton order={order}>{children}</ProblemButton>;
  if (order.report_from === null) return null;
  return (
    <p className={`${layout.tiny} ${layout.muted} ${layout.centered} ${styles.after}`}>
      Something wrong with the goods? You can report a problem from {formatTime(order.report_from)}.
    </p>
  );
}

function ProblemButton({ order, children }: ProblemReportProps) {
  const [open, setOpen] = useState(false);
  // Outlasts the dialog: a report whose answer was lost may have been filed.
  const { withKey } = useIdempotencyKey();
  return (
    <>
      <p className={`${layout.centered} ${styles.after}`}>
        <Button look="ghost" size="s" onClick={() => setOpen(true)}>
          Report a problem{children}
        </Button>
      </p>
      {open && <ProblemDialog order={order} withKey={withKey} onClose={() => setOpen(false)} />}
    </>
  );
}

interface ProblemDialogProps {
  readonly order: Order;
  readonly withKey: ReturnType<typeof useIdempotencyKey>['withKey'];
  readonly onClose: () => void;
}

interface FieldErrors {
  readonly sellers?: string;
  readonly message?: string;
}

/** Kept for each order: one tap beside the dialog closes it, and photos of the goods are looked at in another app. */
const problemStorage = (order: Order) =>
  createFormStorage(`oja-problem-${orderKeyParts(order.transactionId).transactionId}`, [
    'message',
    'sellers',
  ]);

/** What is typed of a problem, and its report. It closes the dialog once the market has it. */
function useProblemReport({ order, withKey, onClose }: ProblemDialogProps) {
  // As the dialog opened: what is ticked stays in sight, also where the order is read anew meanwhile.
  const [sellers] = useState(() => order.shares.filter(({ status }) => status === 'held'));
  const [formStorage] = useState(() => problemStorage(order));
  const [chosen, setChosen] = useState<readonly string[]>(() => {
    const before = formStorage.load().sellers?.split(' ');
    return sellers
      .map((share) => share.user_id)
      .filter((id) => sellers.length === 1 || before?.includes(id));
  });
  const [message, setMessage] = useState(() => formStorage.load().message ?? '');
  useEffect(
    () => formStorage.save({ message, sellers: message && chosen.join(' ') }),
    [formStorage, message, chosen],
  );

  const reload = () => invalidate(orderQuery(order.transactionId).queryKey);
  const report = useMutation({
    mutationFn: () => {
      const problem = { sellerIds: [...chosen], message: cleanLines(message) };
      return withKey(problem, (key) => reportProblem(order.transactionId, problem, key));
    },
    onSuccess: async (answer) => {
      formStorage.save({});
      await reload();
      onClose();
      // Last: while the dialog stands, no message outside of it is announced or can be reached.
      toast.success(answer.message);
    },
  });

  // The answer was lost, and the order shows what became of it.
  const isAlreadyFiled =
    report.isError &&
    !isRefused(report.error) &&
    chosen.length > 0 &&
    order.shares.every(({ user_id, status }) => status === 'disputed' || !chosen.includes(user_id));
  useEffect(() => {
    if (!isAlreadyFiled) return;
    formStorage.save({});
    onClose();
    toast.success('Your report has arrived. We hold the money.');
  }, [isAlreadyFiled, formStorage, onClose]);

  const close = () => {
    // What could not be reported may have been, in another tab.
    if (report.isError) void reload();
    onClose();
  };

  return { sellers, chosen, setChosen, message, setMessage, report, close };
}

/** Asks whose goods are concerned and what is wrong. Their money stays held until the problem is settled. */
function ProblemDialog(props: ProblemDialogProps) {
  const { sellers, chosen, setChosen, message, setMessage, report, close } =
    useProblemReport(props);
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const [wrong, setWrong] = useState<FieldErrors>({});

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found: FieldErrors = {
      ...(chosen.length === 0 && { sellers: 'Choose whose goods it is about' }),
      ...(cleanLines(message) === '' && { message: 'Say what is wrong' }),
    };
    setWrong(found);
    if (found.sellers !== undefined) form.current?.querySelector('input')?.focus();
    else if (found.message !== undefined) form.current?.querySelector('textarea')?.focus();
    else report.mutate();
  };

  return (
    <Dialog
      open
      onClose={close}
      busy={report.isPending}
      title="Report a problem"
      foot={
        <Button type="submit" form={formId} full busy={report.isPending}>
          Send
        </Button>
      }
    >
      <form id={formId} ref={form} className={fieldStyles.form} onSubmit={submit} noValidate>
        <fieldset aria-describedby={wrong.sellers === undefined ? undefined : `${formId}-sellers`}>
          <legend className={fieldStyles.label}>Whose goods is it about?</legend>
          {sellers.map(({ user_id, businessName }) => (
            <Checkbox
              key={user_id}
              checked={chosen.includes(user_id)}
              aria-invalid={wrong.sellers === undefined ? undefined : true}
              onChange={({ target }) =>
                setChosen(
                  target.checked ? [...chosen, user_id] : chosen.filter((id) => id !== user_id),
                )
              }
            >
              {businessName}
            </Checkbox>
          ))}
          <div id={`${formId}-sellers`} aria-live="polite">
            {wrong.sellers !== undefined && <Message kind="err">{wrong.sellers}</Message>}
          </div>
        </fieldset>
        <TextArea
          label="What is wrong?"
          required
          maxLength={limits.comment.max}
          value={message}
          onChange={({ target }) => setMessage(target.value)}
          error={wrong.message}
          hint="Did nothing come, is it broken, is it another product? Your money for these goods stays with Oja meanwhile."
        />
        {report.error !== null && (
          <Message kind="err" role="alert">
            {errorMessage(report.error)}
          </Message>
        )}
      </form>
    </Dialog>
  );
}
