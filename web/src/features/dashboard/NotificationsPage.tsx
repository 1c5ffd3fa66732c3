import { pagePath, pagePaths } from '@oja/contracts/pages';
import { noticeTime } from '@oja/domain/rules';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, BellOff, BellRing } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/error.js';
import {
  clearNotifications,
  countUnread,
  unreadKey,
  unreadQuery,
} from '../../api/notifications.js';
import { invalidate } from '../../api/query-client.js';
import { settingsQuery } from '../../api/settings.js';
import type { News, Notification } from '../../api/types.js';
import * as dashboardFrameStyles from '../../app/layouts/DashboardFrame.module.css';
import { Screen } from '../../app/Screen.js';
import { forgetPushWanted, rememberPushWanted, subscribedQuery } from '../../push/resume.js';
import { type PushAbility, pushAbility, turnPushOff, turnPushOn } from '../../push/subscription.js';
import { useUser } from '../../stores/session.js';
import { Button, ButtonLink } from '../../ui/Button.js';
import * as buttonStyles from '../../ui/Button.module.css';
import { classes } from '../../ui/classes.js';
import { Icon } from '../../ui/Icon.js';
import { Link } from '../../ui/Link.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { Picture } from '../../ui/Picture.js';
import { Skeleton } from '../../ui/Skeleton.js';
import { EmptyState, LoadFailed } from '../../ui/States.js';
import { toast } from '../../ui/toast.js';
import { eventLook } from '../orders/labels.js';
import * as styles from './NotificationsPage.module.css';

export default function NotificationsPage() {
  const user = useUser();
  return user === null ? null : <Notices sellerId={user.user_id} />;
}

/** Notices that are not cleared yet: of orders, their money and the store. */
function Notices({ sellerId }: { readonly sellerId: string }) {
  const { data } = useQuery(unreadQuery(sellerId));
  const clear = useClearNotifications(sellerId);
  return (
    <Screen title="Notifications" className={layout.narrow}>
      <div className={layout.sectionHead}>
        <div className={`${layout.row} ${dashboardFrameStyles.withBack}`}>
          <Link className={buttonStyles.iconButton} to={pagePaths.dashboard} aria-label="Back">
            <Icon of={ArrowLeft} />
          </Link>
          <h1>Notifications</h1>
        </div>
        <Button
          look="ghost"
          // Notices that nobody has seen yet must not be cleared.
          disabled={data === undefined}
          busy={clear.isPending}
          onClick={() => clear.mutate(data?.position ?? null)}
        >
          clear all
        </Button>
      </div>
      <PushSwitch sellerId={sellerId} />
      <NoticeList sellerId={sellerId} />
    </Screen>
  );
}

function NoticeList({ sellerId }: { readonly sellerId: string }) {
  const { data, isError, refetch } = useQuery(unreadQuery(sellerId));
  if (data === undefined && isError) return <LoadFailed onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={184} className={panelStyles.panel} />;
  if (countUnread(data) === 0)
    return (
      <EmptyState
        motif="moon"
        icon={BellOff}
        title="Nothing Ordered!!!"
        line="Orders appear here as soon as they are paid."
        action={
          <ButtonLink look="line" to={pagePaths.dashboard}>
            All Products
          </ButtonLink>
        }
      />
    );
  const notices = [
    ...data.result.map((order) => ({
      at: order.created_at,
      rows: order.items.map((item) => (
        <Notice key={`${order.created_at}/${item.product_id}`} item={item} at={order.created_at} />
      )),
    })),
    ...data.news.map((news) => ({
      at: news.created_at,
      rows: [<NewsNotice key={news.id} news={news} />],
    })),
  ].sort((one, other) => other.at.localeCompare(one.at));
  return (
    <ul className={`${styles.list} ${panelStyles.panel}`} aria-label="Orders">
      {notices.flatMap(({ rows }) => rows)}
    </ul>
  );
}

/** News about money or the store. News about an order links to it. */
function NewsNotice({ news }: { readonly news: News }) {
  const { type, message, created_at: at, transaction_id: transactionId } = news;
  const { icon, tone, label } = eventLook(type);
  return (
    <li>
      <span
        className={classes(styles.sign, tone === 'ok' && styles.ok, tone === 'bad' && styles.bad)}
      >
        <Icon of={icon} size="l" />
      </span>
      <div className={layout.grow}>
        <p className={styles.kind}>{label}</p>
        <b>
          {transactionId === null ? (
            message
          ) : (
            <Link className={layout.link} to={pagePath('order', { transactionId })}>
              {message}
            </Link>
          )}
        </b>
        <p className={`${layout.muted} ${layout.small} ${layout.figures}`}>
          <time dateTime={at}>{noticeTime(at)} UTC</time>
        </p>
      </div>
      <i className={styles.unreadDot} role="img" aria-label="New" />
    </li>
  );
}

interface NoticeProps {
  readonly item: Notification['items'][number];
  /** ISO 8601. */
  readonly at: string;
}

/** One ordered product: its name, quantity, time and first picture. */
function Notice({ item, at }: NoticeProps) {
  return (
    <li>
      <Picture url={item.image_url ?? undefined} alt="" width={64} sizes="64px" />
      <div className={layout.grow}>
        <p className={styles.kind}>New order</p>
        <b>{item.prod_name}</b>
        <p className={`${layout.muted} ${layout.small} ${layout.figures} ${styles.quantities}`}>
          <span>Quantity {item.quantity}</span>
          <time dateTime={at}>{noticeTime(at)} UTC</time>
        </p>
      </div>
      <i className={styles.unreadDot} role="img" aria-label="New" />
    </li>
  );
}

/**
 * Clears notices up to the position that was read. A 404 (nothing to clear) shows a toast; other
 * failures are logged. Without a position the list showed none: the market, which clears all in that case, is
 * not asked, as notices may have come since.
 */
function useClearNotifications(sellerId: string) {
  return useMutation({
    mutationFn: async (position: string | null) => {
      if (position === null) toast.info('No notifications to clear');
      else await clearNotifications(sellerId, position);
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status === 404) toast.info(error.message);
      else console.error(error);
    },
    onSettled: () => invalidate(unreadKey(sellerId)),
  });
}

/** Why messages cannot be turned on here, and what would help. */
const PUSH_HINTS: Readonly<Record<Exclude<PushAbility, 'able'>, string>> = {
  'home-screen': 'On an iPhone, first add Oja to your home screen, and open it from there.',
  blocked: 'Messages from Oja are blocked. Allow them in your browser’s settings for this site.',
  unsupported: 'This browser cannot show messages while Oja is closed. Chrome and Firefox can.',
};

function pushErrorText(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  return 'Your browser could not reach its message service. Try again later.';
}

/** Push messages about orders on this device. The browser asks for permission only after a press. */
function PushSwitch({ sellerId }: { readonly sellerId: string }) {
  const { data: settings, isLoadingError } = useQuery(settingsQuery);
  // This market has no keys to send push messages with. Most have, so the room is kept until that is known.
  if (isLoadingError || settings?.pushPublicKey === null) return null;
  return <DeviceSwitch sellerId={sellerId} publicKey={settings?.pushPublicKey} />;
}

interface DeviceSwitchProps {
  readonly sellerId: string;
  /** Undefined while the settings load. */
  readonly publicKey: string | undefined;
}

function DeviceSwitch({ sellerId, publicKey }: DeviceSwitchProps) {
  const cache = useQueryClient();
  const { queryKey } = subscribedQuery(sellerId);
  const { data: isSubscribed = false, isPending } = useQuery(subscribedQuery(sellerId));
  const turn = useMutation({
    /** @param key to subscribe with; null ends the subscription */
    mutationFn: async (key: string | null) => {
      if (key === null) {
        forgetPushWanted();
        await turnPushOff(sellerId);
        return 'off';
      }
      const now = await turnPushOn(sellerId, key);
      if (now === 'on') rememberPushWanted(sellerId);
      return now;
    },
    onSuccess: (now) => cache.setQueryData(queryKey, now === 'on'),
    onError: (error, key) => {
      console.error(error);
      if (key === null) void invalidate(queryKey);
    },
  });
  const ability = pushAbility();
  if (ability !== 'able') return <PushPanel title="No messages here" line={PUSH_HINTS[ability]} />;
  const line =
    turn.data === 'later'
      ? 'Press again and choose Allow.'
      : 'One short message per order, and when its money moves.';
  return (
    <PushPanel
      on={isSubscribed}
      title={isSubscribed ? 'This device shows new orders' : 'Hear about orders when Oja is closed'}
      line={turn.isError ? pushErrorText(turn.error) : line}
      wrong={turn.isError}
    >
      <Button
        look={isSubscribed ? 'ghost' : 'tint'}
        size="s"
        busy={publicKey === undefined || isPending || turn.isPending}
        onClick={() => {
          if (publicKey !== undefined) turn.mutate(isSubscribed ? null : publicKey);
        }}
      >
        {isSubscribed ? 'Stop these messages' : 'Show new orders on this device'}
      </Button>
    </PushPanel>
  );
}

interface PushPanelProps {
  readonly title: string;
  readonly line: string;
  readonly on?: boolean;
  readonly wrong?: boolean;
  readonly children?: ReactNode;
}

function PushPanel({ title, line, on = false, wrong = false, children }: PushPanelProps) {
  return (
    <section
      className={`${styles.pushQuestion} ${panelStyles.panel}`}
      aria-label="Messages while Oja is closed"
    >
      <Icon of={on ? BellRing : BellOff} size="l" />
      <p className={layout.grow} role="status">
        <b>{title}</b>
        <span
          className={wrong ? `${styles.wrong} ${layout.small}` : `${layout.muted} ${layout.small}`}
        >
          {line}
        </span>
      </p>
      {children}
    </section>
  );
}
