import { CloudAlert, type LucideIcon, RefreshCw, WifiOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { Button } from './Button.js';
import { Cloth, type Motif } from './Cloth.js';
import { classes } from './classes.js';
import { focusHeading } from './focus.js';
import { Icon } from './Icon.js';
import * as panelStyles from './Panel.module.css';
import * as styles from './States.module.css';
import { useOnline } from './use-browser.js';

interface StateProps {
  readonly motif: Motif;
  readonly icon: LucideIcon;
  readonly title: string;
  readonly line?: ReactNode;
  /** The one next step. */
  readonly action?: ReactNode;
  /** A light sign instead of one of indigo cloth. */
  readonly paper?: boolean;
  readonly panel?: boolean | undefined;
  /** How screen readers announce it when it appears. */
  readonly role?: 'status' | 'alert';
  readonly headingLevel?: 'h1' | 'h2' | undefined;
}

function State({
  motif,
  icon,
  title,
  line,
  action,
  paper,
  panel,
  role,
  headingLevel: H = 'h2',
}: StateProps) {
  return (
    <section className={classes(styles.state, panel && panelStyles.panel)} role={role}>
      <Cloth as="span" motif={motif} className={classes(styles.sign, paper && styles.onPaper)}>
        <Icon of={icon} />
      </Cloth>
      <H>{title}</H>
      {line !== undefined && <p>{line}</p>}
      {action}
    </section>
  );
}

/** Nothing to show: the sentence from the spec, one line, one next step. */
export function EmptyState(props: Omit<StateProps, 'role'>) {
  return <State {...props} role="status" />;
}

interface StepButtonProps {
  readonly onPress: () => void;
  readonly children: ReactNode;
}

/** The button of a state. A press removes the state and this button, so the focus moves to the page's heading. */
export function StepButton({ onPress, children }: StepButtonProps) {
  const press = () => {
    onPress();
    focusHeading();
  };
  return (
    <Button look="line" onClick={press}>
      {children}
    </Button>
  );
}

interface ErrorStateProps extends Pick<StateProps, 'headingLevel' | 'panel'> {
  readonly onRetry: () => void;
  readonly title?: string;
}

/** Something did not load; nothing is lost. */
export function ErrorState({
  onRetry,
  title = 'That did not load',
  panel,
  headingLevel,
}: ErrorStateProps) {
  const retry = (
    <StepButton onPress={onRetry}>
      <Icon of={RefreshCw} size="s" />
      Try again
    </StepButton>
  );
  return (
    <State
      motif="steps"
      icon={CloudAlert}
      paper
      panel={panel}
      headingLevel={headingLevel}
      title={title}
      line="The market is there, the road is bad. Nothing you did is lost."
      action={retry}
      role="alert"
    />
  );
}

/** No network: says what still works, to shoppers, and on the pages of sellers and admins. */
export function OfflineState({
  action,
  headingLevel,
}: Pick<StateProps, 'action' | 'headingLevel'>) {
  const { pathname } = useLocation();
  return (
    <State
      headingLevel={headingLevel}
      motif="seeds"
      icon={WifiOff}
      paper
      title="You are offline"
      line={
        /^\/(admin-)?dashboard|^\/upload|\/update$/.test(pathname)
          ? 'Nothing you did is lost. Work here needs the network.'
          : 'You can look at what you saw before, and at your cart. Paying needs the network.'
      }
      action={action}
      role="status"
    />
  );
}

/** A failed read: the offline state without a network, else an error with a retry. */
export function LoadFailed(props: Pick<ErrorStateProps, 'onRetry' | 'title' | 'headingLevel'>) {
  return useOnline() ? (
    <ErrorState {...props} />
  ) : (
    <OfflineState headingLevel={props.headingLevel} />
  );
}
