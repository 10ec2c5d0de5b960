import type { Session } from '../../client/core/http.ts'
import { mountInShadow } from '../kit/shadow/shadow-host.tsx'
import type { Language } from '../lib/messages/messages.ts'
import type { Notify } from '../lib/notify.ts'
import { createComposeStore } from './compose-store.ts'
import type { ComposeDeps, OpenPicker } from './compose-types.ts'
import { Compose } from './compose.tsx'
import type { DraftKeeper } from './compose-types.ts'

/** What a page hands to the composer. */
export interface ComposeMount {
  session: Session
  notify: Notify
  /** The language of its messages; without it, that of the page. */
  language?: Language | undefined
  options?: Pick<ComposeDeps, 'hide' | 'readonly'> & {
    /** Lets drafts survive a reload (`keepDrafts`); without it they do not. */
    drafts?: DraftKeeper
    /** Link for a user without a mailbox to connect one. */
    configsHref?: string
    /** Mounts the template picker; without it no template can be chosen or created here. */
    openPicker?: OpenPicker
    /** Where the list of suppressions is shown. */
    suppressionsHref?: string
    /** Offers lists, segments and contacts as recipients. */
    loadAudience?: ComposeDeps['loadAudience']
    startAudience?: ComposeDeps['startAudience']
    startContacts?: ComposeDeps['startContacts']
    /** Offers Design mode. */
    loadDesign?: ComposeDeps['loadDesign']
    /** The mode of a new message; default Text. */
    mode?: ComposeDeps['mode']
    onMode?: ComposeDeps['onMode']
    loadSentSource?: ComposeDeps['loadSentSource']
    /** Offers a field for the preheader. */
    hasPreheader?: ComposeDeps['hasPreheader']
    loadExtras?: ComposeDeps['loadExtras']
    scheduledHref?: ComposeDeps['scheduledHref']
    submit?: ComposeDeps['submit']
    openImport?: ComposeDeps['openImport']
    /** For how many seconds a launch can be undone. */
    undoSeconds?: ComposeDeps['undoSeconds']
    /** Where what was launched has a page. */
    launchedHref?: ComposeDeps['launchedHref']
    /** Address of the signed-in person, to whom a test goes; '' for the chosen mailbox itself; without it none is offered. */
    testAddress?: string
  }
}

/**
 * Mounts the composer in an element and returns the undo. Fires `sendwright:message-sent` from the element, with id, kind and
 * the count of accepted recipients, once the server has accepted a message or a campaign.
 */
export function mountCompose(element: Element, { session, notify, language, options = {} }: ComposeMount): () => void {
  const { drafts, configsHref, ...rest } = options
  const store = createComposeStore({
    session,
    notify,
    drafts,
    ...rest,
    onSent: ({ id, kind }, accepted) => {
      const detail = { id, kind, accepted }
      element.dispatchEvent(new CustomEvent('sendwright:message-sent', { bubbles: true, composed: true, detail }))
    },
  })
  const unmount = mountInShadow(element, <Compose store={store} configsHref={configsHref} />, language)
  return () => {
    unmount()
    store.close()
  }
}
