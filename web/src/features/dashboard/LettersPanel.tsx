import { emailCodes, limits } from '@oja/domain/rules';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../api/failures.js';
import {
  confirmLetterAddress,
  type LetterSettings,
  lettersQuery,
  removeLetterAddress,
  requestAddressCode,
  setLettersOn,
} from '../../api/profile.js';
import { useIdempotencyKey } from '../../api/use-idempotency-key.js';
import { createFormStorage, sellerFormsName } from '../../stores/form-storage.js';
import { useIsSuspended, useUser } from '../../stores/session.js';
import { Button } from '../../ui/Button.js';
import { PasswordField, TextField } from '../../ui/Field.js';
import * as fieldStyles from '../../ui/Field.module.css';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { Skeleton } from '../../ui/Skeleton.js';
import { Switch } from '../../ui/Switch.js';
import { toast } from '../../ui/toast.js';
import { PanelNotLoaded, useFocusedForm, writeAndRefetch } from './account-panel.js';
import * as styles from './ProfilePage.module.css';

/** What is shown: the current state, or one of the two forms. */
type Step = 'rest' | 'address' | 'code';

/** The values of the address form. The password is kept while a code is typed, so that one press sends a new code. */
interface Address {
  readonly email: string;
  readonly password: string;
}
const noAddress: Address = { email: '', password: '' };

/** The address that a seller has typed and that no code is sent to yet: a session that ends meanwhile does not lose it. */
const addressStorage = (userId: string) => createFormStorage(sellerFormsName(userId), ['email']);

const writeLetters = (work: () => Promise<void>) => writeAndRefetch(lettersQuery.queryKey, work);
type WithKey = ReturnType<typeof useIdempotencyKey>['withKey'];

/** Optional: an address for letters about the seller's money. None is sent before the address's code is typed. */
export function LettersPanel() {
  const { data, isError, refetch } = useQuery(lettersQuery);
  const suspended = useIsSuspended();
  const formStorage = addressStorage(useUser()?.user_id ?? '');
  const [kept] = useState(() => (suspended ? {} : formStorage.load()));
  const [step, setStep] = useState<Step>(kept.email === undefined ? 'rest' : 'address');
  const [address, setAddress] = useState({ ...noAddress, ...kept });
  const heading = useRef<HTMLHeadingElement>(null);
  // The pressed button is gone: keyboard navigation goes on from here, not from the top of the page.
  const focusHeadingOfPanel = useCallback(() => heading.current?.focus(), []);
  const showStatus = useCallback(() => {
    setStep('rest');
    setAddress(noAddress);
    focusHeadingOfPanel();
  }, [focusHeadingOfPanel]);
  const retry = () => {
    void refetch();
    focusHeadingOfPanel();
  };
  // Kept here and not in the forms, which may be closed and opened again before the answer comes.
  const asking = useIdempotencyKey();
  const confirming = useIdempotencyKey();
  /** To whom the last code was sent that the panel knows of. */
  const [lastAsked, setLastAsked] = useState<LetterSettings['asked']>(null);
  if (data?.asked && data.asked.ends_at !== lastAsked?.ends_at) setLastAsked(data.asked);
  // The answer was lost, or another page has sent the code: there is none to type any more.
  const isConfirmed = step === 'code' && data?.asked === null && data.email === lastAsked?.email;
  useEffect(() => {
    if (isConfirmed) showStatus();
  }, [isConfirmed, showStatus]);
  const askAgain = () => {
    setStep('address');
    setAddress({ ...address, email: address.email || (data?.asked?.email ?? '') });
  };
  return (
    <section className={panelStyles.panel} aria-label="E-mails">
      <h2 ref={heading} tabIndex={-1} className={`${layout.heading} ${layout.atTop}`}>
        E-mails
      </h2>
      <div className={layout.stack}>
        <p className={layout.muted}>
          Oja writes to you when your money is released, disputed, paid out or goes back, when your
          bank details change, and when your store is suspended or open again. Not needed to sell.
        </p>
        {data === undefined && step === 'rest' && !isError && <Skeleton height={40} />}
        {data === undefined && step === 'rest' && isError && (
          <PanelNotLoaded what="Your address" onRetry={retry} />
        )}
        {data !== undefined && step === 'rest' && (
          <LetterStatus
            letters={data}
            onStep={setStep}
            onRemoved={showStatus}
            onGone={focusHeadingOfPanel}
          />
        )}
        {step === 'address' && (
          <AddressForm
            address={address}
            formStorage={formStorage}
            lastAsked={lastAsked}
            withKey={asking.withKey}
            onType={setAddress}
            onSent={() => setStep('code')}
            onLeave={showStatus}
          />
        )}
        {step === 'code' && (
          <CodeForm
            asked={data?.asked ?? null}
            withKey={confirming.withKey}
            onConfirmed={showStatus}
            onAgain={askAgain}
            onLeave={showStatus}
          />
        )}
      </div>
    </section>
  );
}

interface LetterStatusProps {
  readonly letters: LetterSettings;
  readonly onStep: (step: Step) => void;
  readonly onRemoved: () => void;
  /** What had the focus may be gone. */
  readonly onGone: () => void;
}

/** The address, whether letters are on, and the actions on it. */
function LetterStatus({ letters, onStep, onRemoved, onGone }: LetterStatusProps) {
  const { email, on, asked } = letters;
  const suspended = useIsSuspended();
  const onError = (error: Error) => toast.error(errorMessage(error));
  const turn = useMutation({
    mutationFn: (next: boolean) => writeLetters(() => setLettersOn(next)),
    onError,
  });
  const removal = useMutation({
    mutationFn: () => writeLetters(removeLetterAddress),
    onError,
    onSuccess: onRemoved,
  });
  // After a lost answer this part unmounts, with the pressed button, until the settings are read again.
  useEffect(
    () => () => {
      if (document.activeElement === document.body) onGone();
    },
    [onGone],
  );
  const shownOn = turn.isPending ? turn.variables : on;
  return (
    <>
      {email !== null && (
        <div className={`${layout.row} ${layout.wrap} ${layout.spaceBetween}`}>
          <b className={styles.typed}>{email}</b>
          <Switch
            on={shownOn}
            labels={['E-mails on', 'E-mails off']}
            busy={turn.isPending}
            onTurn={() => turn.mutate(!shownOn)}
          />
        </div>
      )}
      {asked !== null && (
        <p>
          A code was sent to <b className={styles.typed}>{asked.email}</b>.
        </p>
      )}
      <div className={`${layout.row} ${layout.wrap}`}>
        {asked !== null && !suspended && (
          <Button size="s" busy={removal.isPending} onClick={() => onStep('code')}>
            Type the code
          </Button>
        )}
        {!suspended && (
          <Button look="line" size="s" busy={removal.isPending} onClick={() => onStep('address')}>
            {email === null && asked === null ? 'Add an address' : 'Change address'}
          </Button>
        )}
        {(email !== null || asked !== null) && (
          <Button look="line" size="s" busy={removal.isPending} onClick={() => removal.mutate()}>
            Remove address
          </Button>
        )}
      </div>
    </>
  );
}

interface AddressFormProps {
  readonly address: Address;
  readonly formStorage: ReturnType<typeof addressStorage>;
  /** Whoever opens the form after this code wants another one. */
  readonly lastAsked: LetterSettings['asked'];
  readonly withKey: WithKey;
  readonly onType: (address: Address) => void;
  readonly onSent: () => void;
  readonly onLeave: () => void;
}

function AddressForm(props: AddressFormProps) {
  const { address, formStorage, lastAsked, withKey, onType, onSent, onLeave } = props;
  const [before] = useState(lastAsked);
  const [kept] = useState(formStorage.load);
  const { form, errors, busy, submit } = useFocusedForm(async () => {
    const typed = { ...address, email: address.email.trim() };
    await writeLetters(() => withKey([typed, before], (key) => requestAddressCode(typed, key)));
    formStorage.save({});
    onSent();
  }, kept.email !== undefined);
  const leave = () => {
    formStorage.save({});
    onLeave();
  };
  return (
    <form ref={form} className={fieldStyles.form} onSubmit={submit} noValidate>
      <TextField
        label="E-mail address"
        hint={`A code of ${emailCodes.digits} digits is sent there`}
        type="email"
        name="email"
        autoComplete="email"
        maxLength={limits.email.max}
        value={address.email}
        error={errors.email}
        onChange={({ target }) => {
          formStorage.save({ email: target.value });
          onType({ ...address, email: target.value });
        }}
      />
      <PasswordField
        label="Your password"
        hint="Asked again, so that nobody else can read about your money"
        name="password"
        autoComplete="current-password"
        value={address.password}
        error={errors.password}
        onChange={({ target }) => onType({ ...address, password: target.value })}
      />
      <div className={`${layout.row} ${layout.wrap}`}>
        <Button look="line" className={layout.grow} busy={busy} onClick={leave}>
          Leave as it was
        </Button>
        <Button type="submit" className={layout.grow} busy={busy}>
          Send code
        </Button>
      </div>
    </form>
  );
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Africa/Lagos' });

interface CodeFormProps {
  readonly asked: LetterSettings['asked'];
  readonly withKey: WithKey;
  readonly onConfirmed: () => void;
  readonly onAgain: () => void;
  readonly onLeave: () => void;
}

function CodeForm({ asked, withKey, onConfirmed, onAgain, onLeave }: CodeFormProps) {
  const [code, setCode] = useState('');
  const { form, errors, busy, submit } = useFocusedForm(async () => {
    // People copy the code with spaces around it.
    const typed = code.replace(/\s/g, '');
    await writeLetters(() => withKey(typed, (key) => confirmLetterAddress(typed, key)));
    toast.success('E-mails are on');
    onConfirmed();
  });
  return (
    <form ref={form} className={fieldStyles.form} onSubmit={submit} noValidate>
      {asked !== null && (
        <p>
          The code for <b className={styles.typed}>{asked.email}</b> is good until{' '}
          {clock.format(new Date(asked.ends_at))}, Lagos time. Nothing there? Look in the spam
          folder.
        </p>
      )}
      <TextField
        label="Code"
        hint={`The ${emailCodes.digits} digits in the e-mail`}
        figures
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        error={errors.code}
        onChange={({ target }) => setCode(target.value)}
      />
      <Button type="submit" full busy={busy}>
        Confirm address
      </Button>
      <div className={`${layout.row} ${layout.wrap}`}>
        <Button look="line" className={layout.grow} busy={busy} onClick={onLeave}>
          Later
        </Button>
        <Button look="line" className={layout.grow} busy={busy} onClick={onAgain}>
          Send a new code
        </Button>
      </div>
    </form>
  );
}
