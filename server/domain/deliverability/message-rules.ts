import type { Finding } from '../../../contract/checks/deliverability.ts'
import type { MailFacts, MailLink } from './mail-facts.ts'

/** Above this, Gmail clips a mail. */
const clipBytes = 102_000
const minContrast = 4.5
const minLargeContrast = 3

export interface CheckedMail extends MailFacts {
  kind: 'personal' | 'bulk' | 'transactional'
  /** Merge variables without a value, a default or a fallback. */
  unfilled: readonly string[]
}

interface Rule {
  name: string
  severity: Finding['severity']
  sentence: string
  remedy: string
  /** What of the mail breaks it; '' for the mail as a whole. */
  find: (mail: CheckedMail) => readonly string[]
}

const whole = (isBroken: boolean): readonly string[] => (isBroken ? [''] : [])
const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')
const hostOf = (href: string) => URL.parse(href)?.hostname.replace(/^www\./, '') ?? ''
const isWeb = ({ href }: MailLink) => /^https?:/i.test(href)

const shorteners = new Set(
  'bit.ly tinyurl.com goo.gl t.co ow.ly is.gd buff.ly rebrand.ly cutt.ly rb.gy shorturl.at tiny.cc'.split(' '),
)
/** Phrases that content filters weigh, as SpamAssassin's rules do. */
const phrases: readonly (readonly [name: string, pattern: RegExp, remedy: string])[] = [
  [
    'money_promise',
    /\b(?:earn|make) (?:money|cash|\$\d)|\bextra income\b|\bfinancial freedom\b/i,
    'Say what you offer, without a promise of money.',
  ],
  ['free_money', /\b(?:free money|cash bonus|million dollars|get paid)\b/i, 'Leave the phrase out.'],
  [
    'act_now',
    /\b(?:act now|order now|urgent response|limited time only|expires? today|last chance)\b/i,
    'Name the date until which the offer holds.',
  ],
  [
    'no_risk',
    /\b(?:risk[- ]free|no risk|100% (?:free|guaranteed)|money[- ]back guarantee)\b/i,
    'Describe the terms in a sentence of your own.',
  ],
  ['you_won', /\byou(?:'ve| have)? (?:won|been selected)\b|\bcongratulations!/i, 'Leave the phrase out.'],
  ['not_spam', /\bthis is (?:not|no) spam\b/i, 'Leave the sentence out: it is found in spam only.'],
  ['click_here', /\bclick (?:here|below)\b/i, 'Name what the link leads to, such as “Read the programme”.'],
  [
    'credit',
    /\b(?:lowest rate|consolidate debt|no credit check|refinance)\b/i,
    'Describe the offer without the phrase.',
  ],
  ['weight_loss', /\b(?:lose weight|weight loss|miracle cure)\b/i, 'Describe the offer without the phrase.'],
  ['pharmacy', /\b(?:viagra|cialis|online pharmacy)\b/i, 'Leave the name out; filters refuse such mail.'],
  ['dear_friend', /\bdear (?:friend|sir\/madam|customer)\b/i, 'Address readers by name with a merge variable.'],
  [
    'bank_details',
    /\b(?:verify your account|confirm your password|bank details|social security number)\b/i,
    'Never ask for such data by mail; link to a page with a sign-in.',
  ],
]

const rules: readonly Rule[] = [
  {
    name: 'subject_missing',
    severity: 'error',
    sentence: 'The subject is empty.',
    remedy: 'Write a subject that names what the mail is about.',
    find: ({ subject }) => whole(subject.trim() === ''),
  },
  {
    name: 'subject_long',
    severity: 'warning',
    sentence: 'The subject has more than 78 characters.',
    remedy: 'Shorten it: phones show about 40 characters.',
    find: ({ subject }) => whole(subject.length > 78),
  },
  {
    name: 'subject_capitals',
    severity: 'warning',
    sentence: 'The subject is written in capitals.',
    remedy: 'Write it in normal letters.',
    find: ({ subject }) =>
      whole(
        /\p{Lu}{2}/u.test(subject) && !/\p{Ll}/u.test(subject.replaceAll(/\{\{[^{}]*\}\}/g, '')) && subject.length > 8,
      ),
  },
  {
    name: 'subject_marks',
    severity: 'warning',
    sentence: 'The subject has several exclamation or question marks in a row.',
    remedy: 'Use one at most.',
    find: ({ subject }) => whole(/[!?]{2}/.test(subject)),
  },
  {
    name: 'subject_money',
    severity: 'warning',
    sentence: 'The subject contains several currency signs in a row.',
    remedy: 'Write the amount once, in the text.',
    find: ({ subject }) => whole(/[$€£]{2}/.test(subject)),
  },
  {
    name: 'subject_fake_reply',
    severity: 'warning',
    sentence: 'The subject begins like a reply or a forwarded mail.',
    remedy: 'Leave “Re:” and “Fwd:” out of a new mail.',
    find: ({ subject }) => whole(/^(?:re|fwd?|aw|wg):/i.test(subject.trim())),
  },
  {
    name: 'variable_unfilled',
    severity: 'error',
    sentence: 'A merge variable has no value.',
    remedy: 'Give it a value or a default: {{name | default: "friend"}}.',
    find: ({ unfilled }) => unfilled,
  },
  {
    name: 'text_missing',
    severity: 'error',
    sentence: 'The mail has no text part: it contains no words outside its images.',
    remedy: 'Write the message as text too; the text part is made of it.',
    find: ({ text }) => whole(words(text).length === 0),
  },
  {
    name: 'images_only',
    severity: 'warning',
    sentence: 'The mail has images and fewer than 20 words.',
    remedy: 'Say the most important thing as text: many programs block images.',
    find: ({ text, images }) => whole(images.length > 0 && words(text).length > 0 && words(text).length < 20),
  },
  {
    name: 'size_clipped',
    severity: 'error',
    sentence: 'The mail is larger than 102 kB: Gmail cuts its end off.',
    remedy: 'Shorten it, or link to the rest.',
    find: ({ html }) => whole(Buffer.byteLength(html) > clipBytes),
  },
  {
    name: 'alt_missing',
    severity: 'error',
    sentence: 'An image has no alternative text.',
    remedy: 'Describe the image, or give it an empty text if it is decoration.',
    find: ({ images }) => images.filter(({ alt }) => alt === null).map(({ src }) => src),
  },
  {
    name: 'image_insecure',
    severity: 'warning',
    sentence: 'An image is loaded over http.',
    remedy: 'Use an https address, or upload the image.',
    find: ({ images }) => images.filter(({ src }) => /^http:/i.test(src)).map(({ src }) => src),
  },
  {
    name: 'image_embedded',
    severity: 'warning',
    sentence: 'An image is part of the HTML (data:), which Gmail and Outlook do not show.',
    remedy: 'Upload the image instead.',
    find: ({ images }) => whole(images.some(({ src }) => /^data:/i.test(src))),
  },
  {
    name: 'contrast_low',
    severity: 'error',
    sentence: 'A text has too little contrast with its background.',
    remedy: 'Use a darker text or a lighter background, with a contrast of 4.5 at least.',
    find: ({ contrasts }) =>
      contrasts
        .filter(({ ratio }) => ratio < minLargeContrast)
        .map(({ text }) => text)
        .slice(0, 5),
  },
  {
    name: 'contrast_weak',
    severity: 'warning',
    sentence: 'A text is hard to read: its contrast is below 4.5.',
    remedy: 'Use a darker text or a lighter background.',
    find: ({ contrasts }) =>
      contrasts
        .filter(({ ratio }) => ratio >= minLargeContrast && ratio < minContrast)
        .map(({ text }) => text)
        .slice(0, 5),
  },
  {
    name: 'unsubscribe_missing',
    severity: 'error',
    sentence: 'A mail to many has no unsubscribe link.',
    remedy: 'Put {{unsubscribe_url}} behind a link, or leave it to the footer.',
    find: ({ kind, html }) => whole(kind === 'bulk' && !/\{\{\s*unsubscribe_url/.test(html)),
  },
  {
    name: 'link_insecure',
    severity: 'error',
    sentence: 'A link leads to http, not https.',
    remedy: 'Use the https address.',
    find: ({ links }) => links.filter(({ href }) => /^http:/i.test(href)).map(({ href }) => href),
  },
  {
    name: 'link_shortened',
    severity: 'error',
    sentence: 'A link goes through a link shortener, which filters distrust.',
    remedy: 'Link to the address itself.',
    find: ({ links }) => links.filter(({ href }) => shorteners.has(hostOf(href))).map(({ href }) => href),
  },
  {
    name: 'link_mismatch',
    severity: 'error',
    sentence: 'A link shows another address than the one it leads to, as in phishing.',
    remedy: 'Show the address that it leads to, or words.',
    find: ({ links }) => links.filter(isMismatch).map(({ href }) => href),
  },
  {
    name: 'link_number',
    severity: 'error',
    sentence: 'A link leads to an address of numbers.',
    remedy: 'Use the name of the site.',
    find: ({ links }) =>
      links.filter(({ href }) => /^https?:\/\/(?:\d{1,3}\.){3}\d{1,3}/i.test(href)).map(({ href }) => href),
  },
  {
    name: 'link_empty',
    severity: 'warning',
    sentence: 'A link leads nowhere.',
    remedy: 'Give it an address, or remove it.',
    find: ({ links }) => links.filter(({ href }) => href === '' || href === '#').map(({ text }) => text.trim()),
  },
  {
    name: 'link_example',
    severity: 'error',
    sentence: 'A link still leads to example.com.',
    remedy: 'Replace it by your own address.',
    find: ({ links }) =>
      links.filter(({ href }) => /(?:^|\.)example\.(?:com|org|net)$/.test(hostOf(href))).map(({ href }) => href),
  },
  {
    name: 'link_script',
    severity: 'error',
    sentence: 'A link runs a script, which no mail program does.',
    remedy: 'Link to a page.',
    find: ({ links }) =>
      links.filter(({ href }) => /^(?:javascript|data|vbscript):/i.test(href)).map(({ href }) => href.slice(0, 60)),
  },
  {
    name: 'links_many',
    severity: 'warning',
    sentence: 'The mail has more than 50 links.',
    remedy: 'Keep the most important ones.',
    find: ({ links }) => whole(links.filter(isWeb).length > 50),
  },
  {
    name: 'element_form',
    severity: 'error',
    sentence: 'The mail contains a form, which mail programs disable.',
    remedy: 'Link to a page with the form.',
    find: ({ elements }) => whole(elements.has('form') || elements.has('input')),
  },
  {
    name: 'element_script',
    severity: 'error',
    sentence: 'The mail contains a script; filters refuse such mail.',
    remedy: 'Remove the script.',
    find: ({ elements }) => whole(elements.has('script')),
  },
  {
    name: 'element_frame',
    severity: 'error',
    sentence: 'The mail contains a frame, video or object, which mail programs remove.',
    remedy: 'Use an image with a link.',
    find: ({ elements }) =>
      whole(['iframe', 'frame', 'object', 'embed', 'video', 'audio'].some((name) => elements.has(name))),
  },
  {
    name: 'capitals_many',
    severity: 'warning',
    sentence: 'Large parts of the text are in capitals.',
    remedy: 'Write them in normal letters.',
    find: ({ text }) => whole(capitalShare(text) > 0.5),
  },
  {
    name: 'marks_many',
    severity: 'warning',
    sentence: 'The text has three exclamation marks in a row.',
    remedy: 'Use one at most.',
    find: ({ text }) => whole(/!{3}/.test(text)),
  },
  {
    name: 'text_hidden',
    severity: 'warning',
    sentence: 'Text has the colour of its background.',
    remedy: 'Remove hidden text: filters take it for spam.',
    find: ({ contrasts }) => whole(contrasts.some(({ ratio }) => ratio < 1.1)),
  },
  ...phrases.map(([name, pattern, remedy]): Rule => ({
    name: `phrase_${name}`,
    severity: 'warning',
    sentence: 'A phrase is typical of spam.',
    remedy,
    find: ({ subject, text }) => {
      const found = pattern.exec(`${subject}\n${text}`)?.[0]
      return found === undefined ? [] : [found]
    },
  })),
]

/** What the rules find in a mail; each place of a rule is a finding. */
export function findInMessage(mail: CheckedMail): Finding[] {
  return rules.flatMap(({ name, severity, sentence, remedy, find }) =>
    [...new Set(find(mail))]
      .slice(0, 20)
      .map((place) => ({ rule: name, severity, sentence, remedy, place: place || null })),
  )
}

/** 100 without a finding. */
export function scoreOf(findings: readonly Finding[]): number {
  const weights = { error: 15, warning: 5, info: 0 } as const
  return Math.max(
    0,
    findings.reduce((score, { severity }) => score - weights[severity], 100),
  )
}

/** A text that looks like an address of another site. */
function isMismatch({ href, text }: MailLink): boolean {
  const shown = /^\s*(?:https?:\/\/)?((?:[a-z0-9-]{1,63}\.)+[a-z]{2,24})(?:[/:?#]\S*)?\s*$/i.exec(
    text.slice(0, 300),
  )?.[1]
  if (shown === undefined || !/^https?:/i.test(href)) return false
  const [one, other] = [shown.toLowerCase().replace(/^www\./, ''), hostOf(href)]
  return one !== other && !other.endsWith(`.${one}`) && !one.endsWith(`.${other}`)
}

function capitalShare(text: string): number {
  const letters = text.match(/\p{L}/gu) ?? []
  return letters.length < 40 ? 0 : (text.match(/\p{Lu}/gu) ?? []).length / letters.length
}
