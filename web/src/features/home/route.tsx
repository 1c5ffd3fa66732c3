import '../../styles/parts/home.css';
import { Screen } from '../../app/Screen.js';
import { Floats } from '../../ui/Floats.js';
import { HeldStrip } from '../../ui/Held.js';
import { Categories } from './Categories.js';
import { Goods } from './Goods.js';
import { SellBand } from './SellBand.js';
import { Trending } from './Trending.js';
import { WhatIsNew } from './WhatIsNew.js';

/** Home: what is trending, the goods of a region, the categories, and the way to sell. */
export function Component() {
  return (
    <>
      <HeldStrip />
      <Screen title="Market day, every day" className="homemain">
        <h1 className="vh">Oja, the market</h1>
        <Trending />
        <Goods />
        <Categories />
        <div className="page">
          <SellBand />
        </div>
        <Floats />
        <WhatIsNew />
      </Screen>
    </>
  );
}
