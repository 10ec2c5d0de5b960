import { Component, type ReactNode } from 'react'
import type { MessageId } from '../../lib/messages/messages-es.ts'
import type { Translate } from '../../lib/messages/messages.ts'
import { Text } from '../text/text.tsx'

/**
 * What a widget is drawn in: a fault while it is drawn shows a sentence with a retry in its place, and is written to the
 * console. Stores live outside of it, so that what was typed is there again after the retry.
 */
export class Boundary extends Component<{ children: ReactNode }> {
  static override contextType = Text

  static getDerivedStateFromError(fault: unknown) {
    console.error(fault) // oxlint-disable-line no-console -- the page's developers look for it there
    return { isFailed: true }
  }

  override render() {
    // Without a constructor, which would be a third of the class, there is none before the first fault.
    if (!(this.state as { isFailed: boolean } | null)?.isFailed) return this.props.children
    const t = this.context as Translate<MessageId>
    return (
      <p role="alert">
        {t('This part stopped working. What you typed is kept.')}{' '}
        <button onClick={() => this.setState({ isFailed: false })}>{t('Try Again')}</button>
      </p>
    )
  }
}
