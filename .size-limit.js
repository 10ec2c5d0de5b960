import { readdirSync, readFileSync } from 'node:fs'

// Budgets of the bytes that a browser downloads, after gzip -9; `npm run build` writes the manifests.
const read = (folder) => JSON.parse(readFileSync(new URL(`dist/${folder}/manifest.json`, import.meta.url), 'utf8'))
const embed = read('embed')
const dashboard = read('dashboard')

/** Files of the named chunks and their imports, without those of `known`; each once. */
function files(folder, manifest, names, known = []) {
  const parts = names.map((name) => {
    if (manifest[name] === undefined) throw new Error(`dist/${folder} has no part ${name}.`)
    return manifest[name]
  })
  const all = new Set(parts.flatMap(({ file, imports }) => [file, ...imports]).map((name) => `dist/${folder}/${name}`))
  return [...all].filter((file) => !known.includes(file))
}

const inEmbed = (names, known) => files('embed', embed, names, known)
const named = (start, folder = 'dist/embed/') =>
  readdirSync(new URL(folder, import.meta.url))
    .filter((name) => name.startsWith(`${start}-`) && name.endsWith('.js'))
    .map((name) => folder + name)
const joined = (starts) => starts.flatMap((start) => named(start, 'dist/embed/joined/'))

const core = named('core')
const purify = named('purify')
const compose = inEmbed(['compose'], core)
const client = inEmbed(['client/mail/mailbox-list.ts'], [...core, ...compose])
const launch = inEmbed(['widgets/compose/send/launch-dialogs.tsx'])
const manager = inEmbed(['config-manager'], core)
const picker = inEmbed(['template-picker'], core)

const first = files('dashboard', dashboard, [
  'main',
  'dashboard/dashboard-routes.tsx',
  'dashboard/pages/home/home-page.tsx',
])

const shell = files('dashboard', dashboard, ['main', 'dashboard/dashboard-routes.tsx'])
const beside = (name) => files('dashboard', dashboard, [name], shell)
/** Lazy screens, with their widget. */
const routes = Object.keys(dashboard).filter(
  (name) => /^dashboard\/pages\/.*-page\.tsx$/.test(name) || /^widgets\/.*-element\.tsx$/.test(name),
)

/** Screens with more than most. */
const large = {
  'dashboard/pages/campaigns/campaigns-page.tsx': 45_100,
  // Opened from the page of campaigns, whose parts they share.
  'dashboard/pages/campaigns/compare-page.tsx': 46_750,
  'dashboard/pages/campaigns/recipient-page.tsx': 49_850,
}

const budgets = [
  ['loader: all of the script tag', ['dist/embed/loader.js'], 2_000],
  ['core: renderer, state, shadow host, tokens, the frame in a page', core, 12_100],
  ['compose: what it takes to be typed into, beside the core', compose, 7_880],
  ['compose: ready to type in a page, everything', ['dist/embed/loader.js', ...core, ...compose], 22_000],
  ['compose: the same in one file', ['dist/embed/compose.js'], 20_650],
  ['template-picker: loader, core and its first chunk in one file', ['dist/embed/template-picker.js'], 17_000],
  ['config-manager: loader, core and its first chunk in one file', ['dist/embed/config-manager.js'], 17_500],
  ['what stands in for the core and the kit where they came in one file', joined(['core', 'kit']), 530],
  ['client and session, fetched while it is typed', client, 4_800],
  ['parts: hashes of what is fetched later', named('parts'), 4_060],
  ['parts: the same for a loader with a widget in it', joined(['parts']), 4_150],
  ['messages of a language, those of all widgets', named('messages-ar'), 9_820],
  ['sentences of the server in a language, when one is shown', named('server-sentences-ar'), 7_300],
  ['sign-in: its popup and its bar, where somebody has to sign in', named('sign-in'), 1_900],
  [
    'compose: pasted lists, chips, when used',
    inEmbed(
      ['widgets/compose/recipients/recipient-store.ts', 'widgets/compose/recipients/recipient-chips.tsx'],
      [...core, ...compose, ...client],
    ),
    5_500,
  ],
  [
    'compose: the tools of HTML mode, when the body has the focus or the page is idle',
    inEmbed(['widgets/compose/modes/html/html-tools.tsx'], [...core, ...compose, ...client]),
    1_950,
  ],
  [
    'compose: lists of several and files, their report and their columns, beside the chips',
    inEmbed(
      ['widgets/compose/recipients-import/import-store.ts', 'widgets/compose/recipients-import/recipient-sources.ts'],
      [...core, ...compose, ...client, ...inEmbed(['widgets/compose/recipients/recipient-chips.tsx'])],
    ),
    7_500,
  ],
  [
    'compose: dialogs and progress of a message, when launched',
    inEmbed(['widgets/compose/send/launch-dialogs.tsx'], [...core, ...compose, ...client]),
    10_120,
  ],
  [
    'compose: preview, merge values, completion, with the first character of the body',
    inEmbed(['widgets/compose/editor/writing-aids.ts'], [...core, ...compose, ...client, ...purify]),
    12_080,
  ],
  [
    'compose: the rich text editor, when the body has the focus or the page is idle',
    inEmbed(['widgets/compose/modes/text/text-part.ts'], [...core, ...compose, ...client, ...purify]),
    95_350,
  ],
  [
    'compose: undo, versions of a draft, the dialog of templates, when used',
    inEmbed(
      ['widgets/compose/drafts/notices.tsx', 'widgets/compose/templates/picker-dialog.tsx'],
      [...core, ...compose, ...client],
    ),
    4_500,
  ],
  [
    'compose: campaigns, beside what a launch brings',
    inEmbed(['widgets/compose/campaign/campaign-dialog.tsx'], [...core, ...compose, ...client, ...launch]),
    7_720,
  ],
  [
    'compose: what an owner can still do after a launch',
    inEmbed(['widgets/compose/progress/delivery-actions.tsx'], [...core, ...compose, ...client, ...launch]),
    1_200,
  ],
  ['config-manager: first chunk, beside the core', manager, 5_000],
  [
    'config-manager: its form and its rows, fetched at once',
    inEmbed(
      ['widgets/config-manager/add-form.tsx', 'widgets/config-manager/config-rows.tsx'],
      [...core, ...manager, ...client],
    ),
    11_200,
  ],
  ['template-picker: first chunk, beside the core', picker, 4_000],
  [
    'template-picker: its cards and its lists, fetched at once',
    inEmbed(
      ['widgets/template-picker/lists-store.ts', 'widgets/template-picker/template-cards.tsx'],
      [...core, ...picker, ...client],
    ),
    10_010,
  ],
  [
    'template-picker: the create-template dialog, when opened',
    inEmbed(['widgets/template-picker/create-dialog.tsx'], [...core, ...picker, ...client]),
    5_000,
  ],
  ['DOMPurify, after the first character of the body', purify, 11_300],
  [
    'dashboard: landing, before any interaction',
    files('dashboard', dashboard, ['main', 'dashboard/pages/landing/landing-page.tsx']),
    85_000,
  ],
  ['dashboard: first screen, composer apart', first, 100_000],
  ...routes.map((route) => [`dashboard: ${route}, beside the shell`, beside(route), large[route] ?? 40_000]),
  // The designer contains the block editor.
  ...[
    ['templates/templates', 40_000],
    ['designer/designer', 51_400],
    ['templates/global-templates', 40_000],
  ].map(([screen, limit]) => [
    `dashboard: ${screen}, beside the first screen`,
    files('dashboard', dashboard, [`dashboard/pages/${screen}-page.tsx`, 'widgets/lib/mail-page.ts'], first),
    limit,
  ]),
  [
    'dashboard: the chart of the home screen, when there is something to draw',
    beside('dashboard/pages/home/figures-chart.tsx'),
    32_500,
  ],
  ['dashboard: the command palette, when it is opened', beside('dashboard/shell/palette/palette.tsx'), 8_000],
  [
    'dashboard: embeds, beside the first screen',
    files('dashboard', dashboard, ['dashboard/pages/embeds/embeds-page.tsx'], first),
    40_000,
  ],
  [
    'dashboard: the window that asks for consent, beside the entry',
    files('dashboard', dashboard, ['dashboard/pages/embeds/consent-page.tsx'], files('dashboard', dashboard, ['main'])),
    40_000,
  ],
]

// oxlint-disable-next-line sendwright/exports -- size-limit reads the default export
export default budgets.map(([name, path, bytes]) => ({ name, path, limit: `${bytes} B`, gzip: true }))
