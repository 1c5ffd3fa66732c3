import { Screen } from '../../app/Screen.js';
import { Cloth, type Motif } from '../../ui/Cloth.js';
import * as clothStyles from '../../ui/Cloth.module.css';
import { FEE_RULE, NO_FEE_RULE } from '../../ui/delivery-rule.js';
import { Logo } from '../../ui/Logo.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { Stepper } from '../../ui/Stepper.js';
import * as styles from './AboutPage.module.css';

const promises: readonly { readonly motif: Motif; readonly name: string; readonly text: string }[] =
  [
    {
      motif: 'moon',
      name: 'Safest',
      text: 'Payment is held by Oja and released to the seller only after delivery is confirmed. If the product is not delivered, you get a refund. All transactions go through Oja’s account.',
    },
    {
      motif: 'steps',
      name: 'Easiest',
      text: 'Search, pick, pay with your card. No account is needed to buy. The delivery fee is paid on receipt.',
    },
    {
      motif: 'water',
      name: 'Fastest',
      text: `${NO_FEE_RULE} ${FEE_RULE}`,
    },
    {
      motif: 'drum',
      name: 'Market',
      text: 'Sellers get a free store. Electronics, Fashion, Beauty and Skincare, Phones and Laptop, from Lagos and Enugu.',
    },
  ];

export default function AboutPage() {
  return (
    <Screen title="About Us">
      <Cloth className={styles.banner}>
        <div className={layout.page}>
          <Logo onCloth />
          <div className={styles.title}>
            <h1>About Us</h1>
            <p>
              Ọjà means market. We built one where the buyer’s money waits until the goods arrive.
            </p>
          </div>
        </div>
      </Cloth>
      <div className={`${layout.page} ${styles.points}`}>
        {promises.map(({ motif, name, text }) => (
          <section key={name}>
            <Cloth as="span" motif={motif} className={`${clothStyles.swatch} ${styles.promise}`} />
            <h2>{name}</h2>
            <p>{text}</p>
          </section>
        ))}
      </div>
      <div className={layout.page}>
        <section className={`${panelStyles.panel} ${styles.howItWorks}`}>
          <h2>How your money moves</h2>
          <div className={styles.steps}>
            <Stepper current={5} label="How your money moves" />
          </div>
          <p className={`${layout.muted} ${layout.centered}`}>
            You order and pay. Oja holds the money. The seller delivers. You confirm, and only then
            is the seller paid.
          </p>
        </section>
      </div>
    </Screen>
  );
}
