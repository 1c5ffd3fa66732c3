/** The colours and sizes of the market's design that this one page needs, light and dark. */
export const checkoutStyle = `
:root{color-scheme:light;--paper:#FBF6EC;--surface:#FFFDF8;--sunken:#F3EADB;--line:#E3D7C3;--edge:#8A7C66;--ink:#151B3B;--muted:#5A5B6B;--indigo:#24357E;--indigo-hover:#1A2762;--indigo-soft:#E6EAF7;--on-indigo:#FFFFFF;--buy:#F79A1C;--buy-hover:#E4860A;--on-buy:#1B1A2E;--safe:#0A6A45;--safe-soft:#DDF0E4;--danger:#B3231B;--danger-soft:#FBE4DF;--focus:#2F56D8;--gutter:12px}
@media(prefers-color-scheme:dark){:root{color-scheme:dark;--paper:#0F1329;--surface:#171D3B;--sunken:#0B0E20;--line:#2B3359;--edge:#737DAE;--ink:#F6F0E4;--muted:#B4B6CB;--indigo:#A9B9F5;--indigo-hover:#C4D0FA;--indigo-soft:#232C57;--on-indigo:#10153A;--buy:#F9A533;--buy-hover:#FFBA5C;--safe:#6BD6A2;--safe-soft:#12362C;--danger:#FF9D91;--danger-soft:#43201F;--focus:#8FB0FF}}
@media(min-width:480px){:root{--gutter:16px}}
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:400 .875rem/1.25rem "Oja Sans",system-ui,Roboto,sans-serif;font-variant-numeric:tabular-nums}
h1,p,dl,dd{margin:0}
.i{width:20px;height:20px;flex:none;stroke:currentColor;stroke-width:1.9;fill:none;stroke-linecap:round;stroke-linejoin:round}.i.s{width:16px;height:16px}
.strip{background:var(--buy);color:var(--on-buy)}
.strip p{display:flex;align-items:center;gap:8px;min-height:40px;max-width:480px;margin-inline:auto;padding:4px var(--gutter)}
main{max-width:480px;margin-inline:auto;padding:20px var(--gutter)}
.panel{background:var(--surface);border:1px solid var(--line);border-radius:14px;padding:16px}
.logo{display:block;height:38px;margin-bottom:14px;color:var(--indigo)}
h1{font-size:.8125rem;font-weight:400;line-height:1.125rem;color:var(--muted)}
h1.title{font-size:1.125rem;font-weight:700;line-height:1.5rem;color:var(--ink);margin-bottom:6px}
.price{font-weight:760;font-size:1.875rem;line-height:2.25rem;letter-spacing:-.02em}
.n{font-weight:500;font-size:.92em;margin-right:.06em}
.ref{font-size:.75rem;line-height:1rem;color:var(--muted);overflow-wrap:anywhere}
.ref span{font-family:ui-monospace,"Roboto Mono","DejaVu Sans Mono",monospace}
.card{display:grid;grid-template-columns:1fr 1fr;gap:12px;margin:16px 0}
.card .wide{grid-column:1/-1}
dt{font-weight:600;margin-bottom:6px}
dd{display:flex;align-items:center;justify-content:space-between;gap:8px;min-height:48px;padding:10px 14px;border:1.5px solid var(--line);border-radius:10px;background:var(--sunken);font-size:1rem;line-height:1.5rem}
.btn{display:flex;align-items:center;justify-content:center;width:100%;min-height:44px;margin-top:8px;padding:0 18px;border:1.5px solid transparent;border-radius:10px;background:none;color:var(--indigo);font:inherit;font-weight:650;font-size:.9375rem;line-height:1.25rem;text-decoration:none;cursor:pointer}
.btn:active{transform:translateY(1px)}
.buy{min-height:52px;background:var(--buy);color:var(--on-buy);font-size:1.0625rem}.buy:hover{background:var(--buy-hover)}
.line{border-color:var(--edge);background:var(--surface);color:var(--ink)}.line:hover{border-color:var(--indigo);color:var(--indigo)}
.ghost:hover{background:var(--indigo-soft)}
.pri{background:var(--indigo);color:var(--on-indigo)}.pri:hover{background:var(--indigo-hover)}
:focus-visible{outline:2.5px solid var(--focus);outline-offset:2px}
.note{display:flex;align-items:center;gap:8px;margin:16px 0;padding:12px 14px;border-radius:10px;background:var(--danger-soft);color:var(--danger);font-weight:600}
.note.done{background:var(--safe-soft);color:var(--safe)}
.held{display:flex;align-items:center;gap:6px;margin-top:12px;color:var(--safe);font-weight:600;font-size:.8125rem;line-height:1.125rem}
@media(min-width:768px){.panel{padding:20px}}
@media(prefers-reduced-motion:reduce){.btn:active{transform:none}}
`;
