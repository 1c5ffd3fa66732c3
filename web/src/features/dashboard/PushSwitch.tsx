import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { BellOff, BellRing } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/error.js';
import { settingsQuery } from '../../api/settings.js';
import { type PushAbility, pushAbility } from '../../push/device.js';
import { isToldHere, stopTellingHere, tellHere } from '../../push/telling.js';
import { Button } from '../../ui/Button.js';
import { Icon } from '../../ui/Icon.js';

/** Why there is nothing to press, and what would help. */
const WHY_NOT: Readonly<Record<Exclude<PushAbility, 'able'>, string>> = {
  'home-screen': 'On an iPhone, first add Oja to your home screen, and open it from there.',
  blocked: 'Messages from Oja are blocked. Allow them in your browser’s settings for this site.',
  unsupported: 'This browser cannot show messages while Oja is closed. Chrome and Firefox can.',
};

const toldQuery = (sellerId: string) =>
  queryOptions({
    queryKey: ['push', sellerId],
    queryFn: () => isToldHere(sellerId),
    staleTime: Number.POSITIVE_INFINITY,
  });

function sayingOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  return 'Your browser could not reach its message service. Try again later.';
}

/** Word of orders on this device while Oja is closed. The browser asks for leave only after a press. */
export function PushSwitch({ sellerId }: { readonly sellerId: string }) {
  const { data: settings } = useQuery(settingsQuery);
  const publicKey = settings?.pushPublicKey ?? null;
  // Here the market has no keys to send with.
  if (publicKey === null) return null;
  return <DeviceSwitch sellerId={sellerId} publicKey={publicKey} />;
}

interface DeviceSwitchProps {
  readonly sellerId: string;
  readonly publicKey: string;
}

function DeviceSwitch({ sellerId, publicKey }: DeviceSwitchProps) {
  const cache = useQueryClient();
  const { queryKey } = toldQuery(sellerId);
  const { data: told = false, isPending } = useQuery(toldQuery(sellerId));
  const turn = useMutation({
    mutationFn: async (on: boolean) => {
      if (on) return tellHere(sellerId, publicKey);
      await stopTellingHere(sellerId);
      return 'off' as const;
    },
    onSuccess: (now) => cache.setQueryData(queryKey, now === 'on'),
    onError: (error, on) => {
      console.error(error);
      if (!on) void cache.invalidateQueries({ queryKey });
    },
  });
  const ability = pushAbility();
  if (ability !== 'able') return <PushPanel title="No messages here" line={WHY_NOT[ability]} />;
  const line =
    turn.data === 'later' ? 'Press again and choose Allow.' : 'One short message per order.';
  return (
    <PushPanel
      on={told}
      title={told ? 'This device tells you of orders' : 'Hear about orders when Oja is closed'}
      line={turn.isError ? sayingOf(turn.error) : line}
      wrong={turn.isError}
    >
      <Button
        look={told ? 'ghost' : 'tint'}
        size="s"
        busy={isPending || turn.isPending}
        onClick={() => turn.mutate(!told)}
      >
        {told ? 'Stop telling me' : 'Tell me of orders on this device'}
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
    <section className="pushask panel" aria-label="Messages while Oja is closed">
      <Icon of={on ? BellRing : BellOff} size="l" />
      <p className="grow" role="status">
        <b>{title}</b>
        <span className={wrong ? 'wrong small' : 'muted small'}>{line}</span>
      </p>
      {children}
    </section>
  );
}
