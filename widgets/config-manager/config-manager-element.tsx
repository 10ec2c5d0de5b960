import type { Session } from '../../client/core/http.ts'
import type { Config } from '../../contract/mail/config.ts'
import { mountInShadow } from '../kit/shadow/shadow-host.tsx'
import type { Language } from '../lib/messages/messages.ts'
import type { Notify } from '../lib/notify.ts'
import type { SignInAtProvider } from './add-form-store.ts'
import { createConfigManagerStore } from './config-manager-store.ts'
import { ConfigManager } from './config-manager.tsx'

/** What a page hands to the configuration manager. */
export interface ConfigManagerMount {
  session: Session
  notify: Notify
  /** The language of its messages; without it, that of the page. */
  language?: Language | undefined
  options?: {
    /** Whether the server has its sandbox mailbox on: the form then offers it. */
    sandbox?: boolean
    /** `add` puts the focus on the add form. */
    focus?: 'add' | undefined
    /** How the page leads to a provider and back; without it, mailboxes are connected with app passwords only. */
    signIn?: SignInAtProvider | undefined
  }
}

/**
 * Mounts the configuration manager in an element and returns the undo. Fires `sendwright:config-saved` and
 * `sendwright:config-deleted` from the element, with the configuration's id and address.
 */
export function mountConfigManager(
  element: Element,
  { session, notify, language, options = {} }: ConfigManagerMount,
): () => void {
  const tell = (name: string) => (config: Config) => {
    const detail = { id: config.id, email_address: config.email_address }
    element.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }))
  }
  const store = createConfigManagerStore({
    session,
    notify,
    onSaved: tell('sendwright:config-saved'),
    onDeleted: tell('sendwright:config-deleted'),
  })
  const { sandbox = false, focus, signIn } = options
  return mountInShadow(
    element,
    <ConfigManager store={store} notify={notify} sandbox={sandbox} focus={focus} signIn={signIn} />,
    language,
  )
}
