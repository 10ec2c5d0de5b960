import type { Session } from '../../client/core/http.ts'
import { mountInShadow } from '../kit/shadow/shadow-host.tsx'
import type { Language } from '../lib/messages/messages.ts'
import type { Notify } from '../lib/notify.ts'
import type { TemplateSource } from '../lib/template-record.ts'
import { createTemplatePickerStore, type TemplateDraft } from './template-picker-store.ts'
import { TemplatePicker } from './template-picker.tsx'

/** What a page hands to the template picker. */
export interface TemplatePickerMount {
  session: Session
  notify: Notify
  /** The language of its messages; without it, that of the page. */
  language?: Language | undefined
  options?: {
    /** `create` opens the create-template dialog straight away, and nothing else. */
    start?: 'pick' | 'create'
    /** Initial content of the create-template dialog. */
    draft?: TemplateDraft
    /** Whose templates are offered; both by default. */
    sources?: TemplateSource[]
    /** Read key of the global templates; by default the one that the page carries. */
    hostedKey?: string
  }
}

/** Detail of `sendwright:template-picked`. */
export interface PickedTemplate {
  id: string
  source: TemplateSource
  subject: string
  body: string
  contextTags: string[]
  /** Its design document, where it has one; `body` is the HTML of it. */
  design?: unknown
  /** Text behind the subject in the inbox, where it has one. */
  preheader?: string
}

/**
 * Mounts the template picker in an element and returns the undo. Fires from the element `sendwright:template-picked` with the
 * template, and `sendwright:closed` when a dialog that `start: 'create'` opened has ended.
 */
export function mountTemplatePicker(
  element: Element,
  { session, notify, language, options = {} }: TemplatePickerMount,
): () => void {
  const { start = 'pick', draft = { subject: '', body: '' }, sources = ['own', 'global'] } = options
  const tell = (name: string, detail?: PickedTemplate) =>
    element.dispatchEvent(new CustomEvent(`sendwright:${name}`, { bubbles: true, composed: true, detail }))
  const store = createTemplatePickerStore({
    session,
    notify,
    draft,
    sources,
    hostedKey: options.hostedKey ?? keyOfPage(),
    isPicking: start === 'pick',
    onPicked: ({ id, source, subject, body, context, design, preheader }) =>
      tell('template-picked', {
        ...{ id, source, subject, body, contextTags: [...context] },
        ...(design !== null && { design }),
        ...(preheader !== '' && { preheader }),
      }),
  })
  const unmount = mountInShadow(
    element,
    <TemplatePicker store={store} start={start} onClosed={() => tell('closed')} />,
    language,
  )
  return () => {
    unmount()
    store.close()
  }
}

function keyOfPage(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=sendwright-hosted-key]')?.content ?? ''
}
