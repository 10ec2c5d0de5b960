import { Component, type ContextType, type ReactNode } from 'react'
import { ErrorState } from '../../widgets/kit/feedback/states.tsx'
import { Text } from '../../widgets/kit/text/text.tsx'
import type { FieldValue } from './restore-fields.ts'

/**
 * Error boundary of a page: shows a message with a retry; React logs the error to the console. After the retry the
 * fields of the page contain the earlier input.
 */
export class PageBoundary extends Component<{ children: ReactNode }, { isFailed: boolean }> {
  static override contextType = Text
  declare context: ContextType<typeof Text>
  override state = { isFailed: false }
  declare typed: FieldValue[]

  static getDerivedStateFromError() {
    return { isFailed: true }
  }

  override getSnapshotBeforeUpdate(_: unknown, before: { isFailed: boolean }) {
    // The fields are about to be removed; they keep their values, but lose their labels.
    if (!before.isFailed)
      this.typed = Array.from(document.querySelectorAll<FieldValue[0]>('input,select,textarea'), (field) => [
        field,
        field.labels?.[0]?.textContent,
      ])
    return null
  }

  retry = () => {
    this.setState({ isFailed: false })
    void import('./restore-fields.ts').then(({ restoreFields }) => restoreFields(this.typed))
  }

  override render() {
    if (!this.state.isFailed) return this.props.children
    const t = this.context
    return (
      <ErrorState
        level={1}
        title={t('This page stopped working')}
        text={t('What you typed is kept.')}
        onRetry={this.retry}
      />
    )
  }
}
