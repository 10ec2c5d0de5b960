import type { EmbedError, OptionName } from './contract.ts'

/** What each option takes. */
export const takes: Readonly<Record<OptionName, string>> = {
  embed: 'the id of an embed, pk_…',
  api: 'an address',
  'token-url': 'an address',
  messages: 'an address',
  config: 'the id of a configuration',
  template: 'the id of a template',
  subject: 'a text',
  recipients: 'addresses with commas between',
  theme: 'light, dark or auto',
  accent: 'a colour, such as #0f6b4f',
  radius: 'pixels, from 0 to 99',
  density: 'comfortable or compact',
  lang: 'a language, such as es',
  load: 'visible',
  hide: 'preview, templates, test-send, snippets, from, recipients or subject, several with commas between',
  readonly: 'from, recipients, subject or body, several with commas between',
  draft: 'on or off',
  context: 'a JSON object of texts, such as {"name":"Ann"}',
}

/** The error of what an element asks for and cannot have; secrets are told of without their value. */
export function refuse(name: OptionName | 'secret' | 'widget', widget = ''): EmbedError {
  if (name === 'secret')
    return { code: 'secret', message: 'Sendwright: a secret has no place in a web page; name an embed (pk_…) instead.' }
  if (name === 'widget') return { code: 'unknown-widget', message: `Sendwright has no widget “${widget}”.` }
  return {
    code: 'bad-option',
    message: `Sendwright: the option “${name}” takes ${takes[name]}.`,
  }
}
