import { createHash } from 'node:crypto'
import { escapeHtml } from '../../../contract/mail/merge-variables.ts'
import { pauseDays, preferenceLanguages, type Preferences } from '../../domain/preferences/preferences.ts'

export type PreferencesPage =
  | { state: 'asked' | 'saved'; email: string; from: string; preferences: Preferences; now: Date }
  | { state: 'unknown' | 'test' | 'away' }

const style = `
:root{color-scheme:light dark}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;justify-items:center;background:#faf9f7;color:#1c1b1a;font:17px/1.6 system-ui,sans-serif;overflow-wrap:anywhere}
main{width:100%;max-width:34rem;padding:2rem 1rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem}
p{margin:0 0 1.25rem}
fieldset{border:1px solid #d9d5ce;border-radius:.5rem;margin:0 0 1.25rem;padding:.75rem 1rem;min-width:0}
legend{font-weight:600;padding:0 .25rem}
label{display:grid;grid-template-columns:auto 1fr;gap:0 .6rem;padding:.35rem 0}
input{width:1.15rem;height:1.15rem;margin:.25rem 0 0;accent-color:currentColor}
small{grid-column:2;color:#595550}
select,button{font:inherit;max-width:100%}
select{padding:.4rem;border-radius:.4rem}
button{font-weight:600;padding:.65rem 1.4rem;border:0;border-radius:.5rem;background:#1c1b1a;color:#fff;cursor:pointer}
button.plain{background:none;color:inherit;border:1px solid currentColor}
button:focus-visible,select:focus-visible,input:focus-visible{outline:3px solid #3b6ef5;outline-offset:2px}
.saved{background:#e3f1e4;border-radius:.5rem;padding:.6rem 1rem}
@media (prefers-color-scheme:dark){body{background:#191817;color:#f2f0ed}fieldset{border-color:#4a4640}small{color:#b5afa6}button{background:#f2f0ed;color:#191817}.saved{background:#243a27}}
`

/** Nothing is loaded from anywhere, nothing runs, and the forms lead back here. */
export const preferencesPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** The page behind a mail's preference link; works without script. */
export function preferencesPage(page: PreferencesPage): string {
  const title = titleOf(page)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head>
<body><main><h1>${title}</h1>${contentOf(page)}</main></body></html>`
}

function titleOf(page: PreferencesPage): string {
  if ('preferences' in page) return page.preferences.isStopped ? 'All mail is stopped' : 'Your mail preferences'
  if (page.state === 'unknown') return 'This link is invalid'
  return page.state === 'test' ? 'This was a test' : 'This does not work at the moment'
}

function contentOf(page: PreferencesPage): string {
  if (!('preferences' in page)) {
    if (page.state === 'unknown') return '<p>Open it again from the mail. Nothing was changed.</p>'
    if (page.state === 'test') return '<p>In the mail itself, this link leads to the preferences of its recipient.</p>'
    return '<p>Nothing was changed. Please try again in a minute.</p>'
  }
  const { preferences, now } = page
  const [email, from] = [escapeHtml(page.email), escapeHtml(page.from)]
  const saved = page.state === 'saved' ? '<p class="saved" role="status">Your choices are saved.</p>' : ''
  if (preferences.isStopped) return saved + stopped(preferences, email, from)
  return `${saved}<p>For mail from ${from} to ${email}.</p>
<form method="post">
${topics(preferences)}
<fieldset><legend>How often</legend>
${choice('frequency', 'all', 'Every mail', preferences.frequency === 'all')}
${choice('frequency', 'weekly', 'At most one campaign a week', preferences.frequency === 'weekly')}
</fieldset>
<fieldset><legend>Pause</legend>
<label for="pause">No campaigns for some time</label>
<select id="pause" name="pause">${pauseOptions(preferences, now)}</select>
</fieldset>
<fieldset><legend>Language</legend>
<label for="language">Preferred language</label>
<select id="language" name="language">${languageOptions(preferences)}</select>
</fieldset>
<p><button type="submit" name="act" value="save">Save preferences</button></p>
</form>
<form method="post"><p>You can also end all mail from ${from}.</p>
<button class="plain" type="submit" name="act" value="stop">Stop everything</button></form>`
}

function stopped(preferences: Preferences, email: string, from: string): string {
  const text = `<p>Already stopped: ${email} gets no more mail from ${from}.</p>`
  if (preferences.topics.length === 0) return text
  return `${text}<form method="post"><p>You can keep some topics. Mark them, then confirm.</p>
${topics({ ...preferences, topics: preferences.topics.map((topic) => ({ ...topic, isSubscribed: false })) })}
<button type="submit" name="act" value="keep">Keep the marked topics</button></form>`
}

function topics({ topics: all }: Preferences): string {
  if (all.length === 0) return ''
  const boxes = all.map(({ id, name, description, isSubscribed }) => {
    const about = description === '' ? '' : `<small>${escapeHtml(description)}</small>`
    return `<label><input type="checkbox" name="topic" value="${id}"${isSubscribed ? ' checked' : ''}> ${escapeHtml(name)}${about}</label>`
  })
  return `<fieldset><legend>Topics</legend>${boxes.join('\n')}</fieldset>`
}

function choice(name: string, value: string, text: string, isChecked: boolean): string {
  return `<label><input type="radio" name="${name}" value="${value}"${isChecked ? ' checked' : ''}> ${text}</label>`
}

function option(value: string, text: string, isSelected: boolean): string {
  return `<option value="${value}"${isSelected ? ' selected' : ''}>${escapeHtml(text)}</option>`
}

function pauseOptions({ pausedUntil }: Preferences, now: Date): string {
  const isPaused = pausedUntil !== null && pausedUntil > now
  return [
    ...(isPaused ? [option('', `Paused until ${pausedUntil.toISOString().slice(0, 10)}`, true)] : []),
    option('0', 'No pause', !isPaused),
    ...pauseDays.map((days) => option(String(days), `${days} days`, false)),
  ].join('')
}

function languageOptions({ locale }: Preferences): string {
  const isKnown = locale !== null && Object.hasOwn(preferenceLanguages, locale)
  return [
    ...(isKnown ? [] : [option('', locale ?? 'Not chosen', true)]),
    ...Object.entries(preferenceLanguages).map(([code, name]) => option(code, name, code === locale)),
  ].join('')
}
