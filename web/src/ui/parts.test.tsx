import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { MapPinOff, PackageCheck } from 'lucide-react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { expectAccessible } from '../../test/axe.js';
import { aProduct } from '../../test/products.js';
import { renderAt, renderPart } from '../../test/render.js';
import { Badge } from './Badge.js';
import { Breadcrumb } from './Breadcrumb.js';
import { Button } from './Button.js';
import { Carousel } from './Carousel.js';
import { Checkbox } from './Checkbox.js';
import { SellerSwatch } from './Cloth.js';
import { EscrowNotice, EscrowStrip } from './EscrowNotice.js';
import { PasswordField, TextArea, TextField } from './Field.js';
import { FloatingButtons } from './Floats.js';
import { Gallery } from './Gallery.js';
import { PercentBar } from './PercentBar.js';
import { Price } from './Price.js';
import { ProductCard } from './ProductCard.js';
import { Quantity } from './Quantity.js';
import { RangeSlider } from './RangeSlider.js';
import { CardSkeletons } from './Skeleton.js';
import { Spinner } from './Spinner.js';
import { EmptyState, ErrorState, OfflineState } from './States.js';
import { Stepper } from './Stepper.js';
import { Switch } from './Switch.js';
import { Timeline } from './Timeline.js';

describe('the parts', () => {
  it('break no rule of axe', async () => {
    const { container } = renderPart(
      <main>
        <h1>Parts</h1>
        <EscrowStrip />
        <Breadcrumb crumbs={[{ label: 'Home', to: '/' }, { label: 'Fashion' }]} />
        <EscrowNotice>Oja keeps your money.</EscrowNotice>
        <Stepper current={2} />
        <Button>Upload</Button>
        <Badge tone="safe" icon={PackageCheck}>
          DELIVERED
        </Badge>
        <SellerSwatch sellerId="s1" />
        <Price amount={24_500} />
        <TextField label="Full Name" required error="Say who you are" />
        <TextField label="Amount" readOnly value="₦57,500" />
        <TextArea label="Description" hint="What is it made of?" />
        <PasswordField label="Password" />
        <Checkbox>I agree</Checkbox>
        <Switch on onTurn={() => {}} labels={['Available', 'Unavailable']} of="Watch" />
        <Quantity value={2} min={1} max={99} of="Watch" onChange={() => {}} />
        <RangeSlider
          min={1_000}
          max={100_000}
          step={1_000}
          value={[1_000, 58_000]}
          onCommit={() => {}}
        />
        <PercentBar value={72} label="Upload" />
        <Spinner />
        <Timeline
          label="What happened"
          steps={[{ id: '1', icon: PackageCheck, title: 'Delivered' }]}
        />
        <Gallery urls={['http://h/v1/image/a.webp', 'http://h/v1/image/b.webp']} name="Watch" />
        <h2>Goods</h2>
        <ProductCard
          product={aProduct()}
          inCart={false}
          onToggle={() => {}}
          isSaved
          onSave={() => {}}
          onSingleOrder={() => {}}
        />
        <CardSkeletons count={2} />
        <Carousel title="Trending products" items={['a', 'b']} keyOf={(item) => item}>
          {(item) => <p>{item}</p>}
        </Carousel>
        <EmptyState motif="water" icon={MapPinOff} title="Nothing here" />
        <ErrorState onRetry={() => {}} />
        <OfflineState />
      </main>,
    );
    await expectAccessible(container);
  });
});

it.each([
  ['a shopper', '/search-items', 'your cart. Paying needs'],
  ['a shopper at a store', '/sellers-store/Car-dashboards', 'your cart. Paying needs'],
  ['a seller', '/dashboard/orders', 'Work here needs'],
  ['a seller who uploads', '/upload-product', 'Work here needs'],
  ['an admin', '/admin-dashboard/sellers', 'Work here needs'],
])('says without a network what %s can do', (_, path, words) => {
  renderAt(path, [{ path, element: <OfflineState /> }]);
  expect(screen.getByRole('status').textContent).toContain(`${words} the network.`);
});

it('goes on at the heading of the page when a read is tried again', () => {
  const onRetry = vi.fn();
  renderPart(
    <main id="main">
      <h1>Parts</h1>
      <ErrorState onRetry={onRetry} />
    </main>,
  );
  const button = screen.getByRole('button', { name: 'Try again' });
  button.focus();
  fireEvent.click(button);
  expect(onRetry).toHaveBeenCalledOnce();
  expect(document.activeElement?.textContent).toBe('Parts');
});

it('goes on at the heading of the page after the way back to the top', async () => {
  renderPart(
    <main id="main">
      <h1>Parts</h1>
      <FloatingButtons />
    </main>,
  );
  act(() => {
    scrollTo({ top: 900 });
    dispatchEvent(new Event('scroll'));
  });
  const button = await screen.findByRole('button', { name: 'Back to top' });
  button.focus();
  fireEvent.click(button);
  act(() => void dispatchEvent(new Event('scroll')));
  await waitFor(() => expect(button.isConnected).toBe(false));
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
});

describe('a product card', () => {
  const card = (props: Partial<Parameters<typeof ProductCard>[0]> = {}) => {
    const does = {
      onToggle: vi.fn(),
      onSingleOrder: vi.fn(),
      onOpen: vi.fn(),
      onSave: vi.fn(),
    };
    renderPart(
      <ProductCard product={aProduct()} inCart={false} isSaved={false} {...does} {...props} />,
    );
    return does;
  };

  it('shows seller, price in naira, name and place', () => {
    card();
    expect(screen.getByRole('link', { name: 'Musa & Sons Watches' }).getAttribute('href')).toBe(
      '/sellers-store/Musa-%26-Sons-Watches',
    );
    expect(document.querySelector('.Price-price')?.textContent).toBe('₦31,050');
    expect(screen.getByRole('heading', { name: 'Field watch, olive strap' })).toBeTruthy();
    expect(screen.getByText('Apapa, Lagos')).toBeTruthy();
    expect(screen.queryByText('Used')).toBeNull();
  });

  it('leaves the seller out in their own store, and says Used only of used goods, in any case', () => {
    card({ hideSeller: true, product: aProduct({ prod_condition: 'Used' }) });
    expect(screen.queryByText('Musa & Sons Watches')).toBeNull();
    expect(screen.getByText('Used')).toBeTruthy();
  });

  it('says by more than colour that it is in the cart', () => {
    const { onToggle } = card({ inCart: true });
    const sign = screen.getByRole('button', { name: 'Remove from cart: Field watch, olive strap' });
    // A pressed 'Remove' would say that it is removed.
    expect(sign.hasAttribute('aria-pressed')).toBe(false);
    fireEvent.click(sign);
    expect(onToggle).toHaveBeenCalledOnce();
  });

  it('says in words that the last one was sold, and takes no order of it', () => {
    const { onSingleOrder } = card({ product: aProduct({ stock: 0 }) });
    const act = screen.getByRole('button', { name: 'Sold out: Field watch, olive strap' });
    expect(act.textContent).toBe('Sold out');
    expect(act.hasAttribute('disabled')).toBe(true);
    fireEvent.click(act);
    expect(onSingleOrder).not.toHaveBeenCalled();
    expect(screen.queryByRole('button', { name: /^Add to cart/ })).toBeNull();
  });

  it('lets go of what was sold out while it lay in the cart', () => {
    const { onToggle } = card({ product: aProduct({ stock: 0 }), inCart: true });
    fireEvent.click(screen.getByRole('button', { name: /^Remove from cart/ }));
    expect(onToggle).toHaveBeenCalledOnce();
  });

  it.each([1, undefined])('is ordered as ever while so many are left: %s', (stock) => {
    const { onSingleOrder } = card({ product: aProduct({ stock }) });
    fireEvent.click(screen.getByRole('button', { name: /^Single order/ }));
    expect(onSingleOrder).toHaveBeenCalledOnce();
  });

  it('opens by its picture, and leaves a press with a key to the browser', () => {
    const { onOpen } = card();
    const picture = screen.getByRole('link', { name: 'Field watch, olive strap' });
    expect(picture.getAttribute('href')).toBe('/single-product/3/p1');
    fireEvent.click(picture, { ctrlKey: true });
    expect(onOpen).not.toHaveBeenCalled();
    fireEvent.click(picture);
    expect(onOpen).toHaveBeenCalledOnce();
  });
});

describe('a field', () => {
  it('is described by its message and marked wrong', () => {
    renderPart(<TextField label="Phone number" error="please enter your Phone number!" />);
    const input = screen.getByLabelText('Phone number');
    expect(input.getAttribute('aria-invalid')).toBe('true');
    const message = document.getElementById(input.getAttribute('aria-describedby') ?? '');
    expect(message?.textContent).toBe('please enter your Phone number!');
  });

  it('shows and hides a password', () => {
    renderPart(<PasswordField label="Password" />);
    expect(screen.getByLabelText('Password').getAttribute('type')).toBe('password');
    fireEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(screen.getByLabelText('Password').getAttribute('type')).toBe('text');
  });

  it('leaves a shown password as it is typed: phones neither capitalise nor correct it', () => {
    renderPart(<PasswordField label="Password" />);
    fireEvent.click(screen.getByRole('button', { name: 'Show password' }));
    const input = screen.getByLabelText('Password');
    expect(input.getAttribute('autocapitalize')).toBe('none');
    expect(input.getAttribute('autocorrect')).toBe('off');
    expect(input.getAttribute('spellcheck')).toBe('false');
  });
});

describe('a gallery', () => {
  const urls = ['a', 'b', 'c'].map((name) => `http://h/v1/image/${name}.webp`);
  const counter = () => screen.getByRole('status').textContent;

  it('counts n/total and goes round', () => {
    renderPart(<Gallery urls={urls} name="Watch" />);
    expect(counter()).toBe('Picture 1/3');
    fireEvent.click(screen.getByRole('button', { name: 'Previous picture' }));
    expect(counter()).toBe('Picture 3/3');
    fireEvent.click(screen.getByRole('button', { name: 'Next picture' }));
    fireEvent.click(screen.getByRole('button', { name: 'Picture 2' }));
    expect(counter()).toBe('Picture 2/3');
  });

  describe('under a finger', () => {
    /** Swipes by so many px to the right and down. */
    const move = (right: number, down: number) => {
      const picture = screen.getByRole('img', { name: /^Watch, picture/ });
      fireEvent.touchStart(picture, { touches: [{ clientX: 200, clientY: 200 }] });
      fireEvent.touchEnd(picture, {
        changedTouches: [{ clientX: 200 + right, clientY: 200 + down }],
      });
    };

    it('follows a swipe to either side', () => {
      renderPart(<Gallery urls={urls} name="Watch" />);
      move(-110, 12);
      expect(counter()).toBe('Picture 2/3');
      move(110, -12);
      expect(counter()).toBe('Picture 1/3');
    });

    it.each([
      ['a tap', -10, 0],
      ['a scroll that drifts aside', -90, 160],
      ['a scroll as much across as down', -90, -90],
    ])('stays at %s', (_, right, down) => {
      renderPart(<Gallery urls={urls} name="Watch" />);
      move(right, down);
      expect(counter()).toBe('Picture 1/3');
    });

    it('stays while two fingers pinch it, and turns again after that', () => {
      renderPart(<Gallery urls={urls} name="Watch" />);
      const picture = screen.getByRole('img', { name: /^Watch, picture/ });
      const at = (clientX: number) => ({ clientX, clientY: 200 });
      fireEvent.touchStart(picture, { touches: [at(200)] });
      fireEvent.touchStart(picture, { touches: [at(200), at(240)] });
      fireEvent.touchEnd(picture, { touches: [at(210)], changedTouches: [at(90)] });
      fireEvent.touchEnd(picture, { touches: [], changedTouches: [at(210)] });
      expect(counter()).toBe('Picture 1/3');
      move(-110, 12);
      expect(counter()).toBe('Picture 2/3');
    });

    it('stays on an enlarged page, which the finger moves about', () => {
      vi.stubGlobal('visualViewport', { scale: 2 });
      onTestFinished(() => {
        vi.unstubAllGlobals();
      });
      renderPart(<Gallery urls={urls} name="Watch" />);
      move(-110, 12);
      expect(counter()).toBe('Picture 1/3');
    });
  });
});

it('a quantity stops at its ends, where its button keeps the focus', () => {
  const onChange = vi.fn();
  renderPart(<Quantity value={1} min={1} max={99} of="Watch" onChange={onChange} />);
  const group = within(screen.getByRole('group', { name: 'Quantity of Watch' }));
  const fewer = group.getByRole('button', { name: 'Fewer' });
  expect(fewer.getAttribute('aria-disabled')).toBe('true');
  // A disabled button would lose the focus that the press before has given it.
  expect(fewer).toHaveProperty('disabled', false);
  fireEvent.click(fewer);
  expect(onChange).not.toHaveBeenCalled();
  fireEvent.click(group.getByRole('button', { name: 'More' }));
  expect(onChange).toHaveBeenCalledWith(2);
});

it('a stepper says which step is now', () => {
  renderPart(<Stepper current={3} />);
  expect(document.querySelector('[aria-current=step]')?.textContent).toContain('Deliver');
  expect(screen.getAllByRole('img', { name: 'Done' })).toHaveLength(2);
});

it('a price shows kobo only where there are kobo', () => {
  renderPart(
    <>
      <Price amount={11_500} />
      <Price amount={99.5} />
    </>,
  );
  expect([...document.querySelectorAll('.Price-price')].map((price) => price.textContent)).toEqual([
    '₦11,500',
    '₦99.50',
  ]);
});
