// The arrows between the rooms of the house. `@oja/x` resolves to `x/dist/*.js`, a path inside `x/`, so a
// rule on `^x/` sees imports by name as well as by path. Run by `npm run arrows`.

const ROOMS = [
  'domain',
  'contracts',
  'platform',
  'http',
  'projector',
  'command-service',
  'query-service',
  'demo',
  'cli',
  'web',
];

/** What a room may import of the others. */
const ARROWS = {
  domain: [],
  platform: ['contracts', 'domain'],
  contracts: ['domain'],
  http: ['contracts', 'platform'],
  projector: ['contracts', 'domain', 'platform'],
  'command-service': ['contracts', 'domain', 'http', 'platform'],
  'query-service': ['contracts', 'domain', 'http', 'platform'],
  demo: ['domain', 'platform', 'projector', 'command-service'],
  cli: ROOMS,
  web: ['contracts', 'domain'],
};

const SERVICES = ['projector', 'command-service', 'query-service'];
const TEST = '[.]test[.]tsx?$|^test/|^[^/]+/test/';
const ZOD = '^node_modules/zod/';
const npm = (names) => `^node_modules/(${names.join('|')})/`;

const arrows = Object.entries(ARROWS).map(([room, allowed]) => ({
  name: `arrows-of-${room}`,
  comment: `${room} imports of ours only: ${allowed.join(', ') || 'nothing'}`,
  severity: 'error',
  // Tests may set up what stands beside their room: a read model, a person's key.
  from: { path: `^${room}/`, ...(SERVICES.includes(room) && { pathNot: TEST }) },
  to: { path: `^(${ROOMS.filter((r) => r !== room && !allowed.includes(r)).join('|')})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    // A rule that forbids nothing is no rule: cli may import every room.
    ...arrows.filter(({ from }) => from.path !== '^cli/'),
    {
      name: 'rooms-by-name',
      comment: 'another room is imported by its package name, never by a path into its sources',
      severity: 'error',
      from: { path: '^([^/]+)/', pathNot: '^(scripts|test|bench)/' },
      // The random lives of orders are told once, beside the rules, and lived by whoever follows them. So is the naive
      // search that every test of a search compares with.
      to: {
        path: `^(${ROOMS.join('|')})/(src|test)/`,
        pathNot: ['^$1/', '^domain/test/(lives|names|orders)'],
      },
    },
    {
      name: 'domain-is-pure',
      comment: 'no I/O, no Node, no library but zod',
      severity: 'error',
      from: { path: '^domain/src/', pathNot: TEST },
      to: { pathNot: ['^domain/', ZOD] },
    },
    {
      name: 'platform-knows-no-goods',
      comment: 'of other rooms platform takes types: the shape of a decider, of an index',
      severity: 'error',
      from: { path: '^platform/src/', pathNot: TEST },
      to: { path: '^(contracts|domain)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'contracts-are-schemas',
      comment: 'contracts cross the wall to the browser: no Node, no library but zod',
      severity: 'error',
      from: { path: '^contracts/src/', pathNot: TEST },
      to: { pathNot: ['^contracts/', '^domain/', ZOD] },
    },
    {
      name: 'rules-without-zod',
      comment: 'domain/rules is in the first load of every page: values come from rules alone',
      severity: 'error',
      from: { path: '^domain/src/rules/', pathNot: TEST },
      to: { pathNot: '^domain/src/rules/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'wire-without-zod',
      comment:
        'contracts/wire is in the first load of every page: values come from domain/rules alone',
      severity: 'error',
      from: { path: '^contracts/src/wire' },
      to: {
        pathNot: ['^contracts/src/wire', '^domain/dist/rules/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'web-takes-no-schemas',
      comment:
        'of contracts and domain web takes types, @oja/contracts/wire and /pages, and @oja/domain/rules',
      severity: 'error',
      from: { path: '^web/', pathNot: TEST },
      to: {
        path: '^(contracts|domain)/',
        pathNot: ['^contracts/dist/(wire|pages)[.]', '^domain/dist/rules/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'web-without-full-zod',
      comment: 'zod/mini does in the browser, on lazy routes',
      severity: 'error',
      from: { path: '^web/src/', pathNot: TEST },
      to: { path: ZOD, pathNot: '/mini/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'shared-parts-know-no-screens',
      comment: 'what every screen may use knows neither the shell nor a feature',
      severity: 'error',
      from: { path: '^web/src/(ui|api|stores|push|worker)/', pathNot: TEST },
      to: { path: '^web/src/(app|features)/' },
    },
    {
      name: 'engines-behind-ports',
      comment: 'only platform knows which engine stands behind a port',
      severity: 'error',
      from: { path: '^(projector|command-service|query-service)/src/', pathNot: TEST },
      to: {
        path: npm([
          'libsql',
          'mongodb',
          'bullmq',
          'ioredis',
          '@eventstore',
          '@opentelemetry',
          'nodemailer',
        ]),
      },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'a module that imports nothing and that nothing imports is dead',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          TEST,
          '[.]d[.]ts$',
          '[.]config[.]ts$',
          '^[^/]+/dist/',
          '^(scripts|bench)/',
          // The one script of a rendered page: it takes the app's address from the page.
          '^web/src/begin[.]ts$',
        ],
      },
      to: {},
    },
    {
      name: 'no-unresolved',
      comment: 'misspelt, not installed, or not built (npx tsc -b)',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(virtual:|/)' },
    },
    {
      name: 'sources-know-no-tests',
      severity: 'error',
      from: { pathNot: TEST },
      to: { path: TEST },
    },
    {
      name: 'no-development-tools-in-sources',
      severity: 'error',
      from: { path: '^[^/]+/src/', pathNot: TEST },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm'] },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/'] },
    exclude: { path: ['^[^/]+/dist/.*[.]map$'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
