import { pagePaths } from '@oja/contracts/pages';
import {
  attributeLabels,
  categories,
  offeredSubcategories,
  subcategoryByName,
} from '@oja/domain/rules';
import { useQuery } from '@tanstack/react-query';
import { type LucideIcon, Shapes, ShieldUser, Store, UserPlus } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { ApiError } from '../../api/error.js';
import { errorMessage, missingFieldsOf } from '../../api/failures.js';
import { Screen } from '../../app/Screen.js';
import { Button } from '../../ui/Button.js';
import type { Motif } from '../../ui/Cloth.js';
import * as clothStyles from '../../ui/Cloth.module.css';
import { Dialog } from '../../ui/Dialog.js';
import { TextField } from '../../ui/Field.js';
import { Icon } from '../../ui/Icon.js';
import { Link } from '../../ui/Link.js';
import * as layout from '../../ui/layout.module.css';
import { Skeleton } from '../../ui/Skeleton.js';
import { LoadFailed } from '../../ui/States.js';
import { toast } from '../../ui/toast.js';
import * as styles from './AdminHomePage.module.css';
import { overviewQuery, reloadAdminPages, setSubAdmin, useIsHeadAdmin } from './api.js';
import { MoneyBar, OrdersNeedingPerson } from './Overview.js';

const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'Africa/Lagos' });

/** The first admin page: what this admin may do, where the money is, and what needs a person. */
export default function AdminHomePage() {
  const head = useIsHeadAdmin();
  const { data } = useQuery(overviewQuery);
  const [open, setOpen] = useState<'admin' | 'categories'>();
  const close = () => setOpen(undefined);
  return (
    <Screen title="Admin dashboard">
      <div className={layout.sectionHead}>
        <div>
          <h1>Admin dashboard</h1>
          <p className={layout.muted}>
            {head ? 'Head admin' : 'Sub-admin'}. {today.format(new Date())}.
          </p>
        </div>
      </div>
      <div className={styles.tiles}>
        {head && (
          <ActionCard
            motif="moon"
            icon={UserPlus}
            title="Add An Admin"
            line="Give a seller the sub-admin role"
            onPress={() => setOpen('admin')}
          />
        )}
        <CountCard
          to={pagePaths.admins}
          icon={ShieldUser}
          title="Total Admins"
          count={data?.totalAdmins}
        />
        {head && (
          <ActionCard
            motif="lozenge"
            icon={Shapes}
            title="Add/Edit Category"
            line={`${categories.length} categories, ${offeredSubcategories.length} subcategories`}
            onPress={() => setOpen('categories')}
          />
        )}
        <CountCard
          to={pagePaths.sellers}
          icon={Store}
          title="Total Sellers"
          count={data?.totalSellers}
        />
      </div>
      <Overview />
      <AddAdminDialog open={open === 'admin'} onClose={close} />
      <CategoriesDialog open={open === 'categories'} onClose={close} />
    </Screen>
  );
}

function Overview() {
  const { data, isError, refetch } = useQuery(overviewQuery);
  if (data !== undefined)
    return (
      <>
        <MoneyBar money={data.money} />
        <OrdersNeedingPerson {...data} />
      </>
    );
  if (isError) return <LoadFailed onRetry={() => void refetch()} />;
  return (
    <div className={layout.section}>
      <Skeleton height={220} />
    </div>
  );
}

interface ActionCardProps {
  readonly motif: Motif;
  readonly icon: LucideIcon;
  readonly title: string;
  readonly line: string;
  readonly onPress: () => void;
}

/** A tile on patterned cloth that starts an action only head admins may take. */
function ActionCard({ motif, icon, title, line, onPress }: ActionCardProps) {
  return (
    <button
      type="button"
      className={`${styles.tile} ${clothStyles.cloth}`}
      data-motif={motif}
      onClick={onPress}
    >
      <span>
        <Icon of={icon} size="l" />
      </span>
      <b>{title}</b>
      <small>{line}</small>
    </button>
  );
}

interface CountCardProps {
  readonly to: string;
  readonly icon: LucideIcon;
  readonly title: string;
  /** Undefined until the count is loaded. */
  readonly count: number | undefined;
}

/** A plain tile that shows a count and links to the list behind it. */
function CountCard({ to, icon, title, count }: CountCardProps) {
  return (
    <Link className={styles.tile} to={to}>
      <span>
        <Icon of={icon} size="l" />
      </span>
      <b>{title}</b>
      <em className={layout.figures}>{count?.toLocaleString('en-NG') ?? ' '}</em>
    </Link>
  );
}

/** Why nobody was made an admin, in the words of the form. */
function toErrorText(failure: unknown): string {
  const missing = missingFieldsOf(failure);
  const labels = missing.map((field) => (field === 'sellerId' ? 'Seller ID' : field));
  if (labels.length > 0) return `Please fill in: ${labels.join(', ')}`;
  const isNoId = failure instanceof ApiError && failure.errors.sellerId !== undefined;
  return isNoId ? 'This is not the ID of a seller' : errorMessage(failure);
}

/** Takes a seller's id and grants that seller the sub-admin role. */
function AddAdminDialog({
  open,
  onClose,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  const formId = useId();
  const [sellerId, setSellerId] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      await setSubAdmin(sellerId.trim(), true);
      toast.success('Admin added successfully');
      setSellerId('');
      onClose();
    } catch (failure) {
      setError(toErrorText(failure));
    } finally {
      setBusy(false);
    }
    void reloadAdminPages();
  };
  const close = () => {
    setError(undefined);
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      busy={busy}
      title="Add An Admin"
      foot={
        <Button type="submit" form={formId} full busy={busy}>
          Add admin
        </Button>
      }
    >
      <form id={formId} onSubmit={submit} noValidate>
        <TextField
          label="Seller ID"
          hint="It is on the seller's card. A sub-admin can see sellers and orders."
          autoComplete="off"
          spellCheck={false}
          error={error}
          value={sellerId}
          onChange={(event) => setSellerId(event.target.value)}
        />
      </form>
    </Dialog>
  );
}

/** Read-only list of categories, each subcategory with its product attributes. */
function CategoriesDialog({
  open,
  onClose,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  return (
    <Dialog open={open} onClose={onClose} title="Categories">
      <p className={layout.muted}>Categories change with a release</p>
      {categories.map(({ name, subcategories }) => (
        <section key={name} aria-label={name}>
          <h3 className={layout.heading}>{name}</h3>
          <dl className={styles.categories}>
            {subcategories.map((subcategory) => (
              <div key={subcategory}>
                <dt>{subcategory}</dt>
                <dd>{listAttributes(subcategory)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}

function listAttributes(subcategory: string): string {
  const names = subcategoryByName(subcategory)?.attributes ?? [];
  return names.map((name) => attributeLabels[name]).join(', ');
}
