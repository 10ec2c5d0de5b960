import { Component, type ReactNode } from 'react'
import { ErrorState } from '../../widgets/kit/states.tsx'
import type { Field } from './refill.ts'

interface PageBoundaryProps {
  /** Draws once more before it says anything: for what fails while it is removed, and not while it is drawn. */
  drawsAgain?: boolean
  children: ReactNode
}

/**
 * What a page is drawn in: a fault while it is drawn shows a sentence with a retry in its place, and React writes it to the
 * console. After the retry the page's fields hold what was typed before.
 */
export class PageBoundary extends Component<PageBoundaryProps, { isFailed: boolean }> {
  override state = { isFailed: false }
  #typed: Field[] = []
  #isDrawnAgain = false

  static getDerivedStateFromError() {
    return { isFailed: true }
  }

  override getSnapshotBeforeUpdate(_: PageBoundaryProps, { isFailed }: { isFailed: boolean }) {
    // They are about to be removed, and hold their values after that.
    if (this.state.isFailed && !isFailed) this.#typed = [...document.querySelectorAll<Field>(fields)]
    return null
  }

  override componentDidUpdate() {
    if (!this.state.isFailed || this.props.drawsAgain !== true || this.#isDrawnAgain) return
    this.#isDrawnAgain = true
    this.retry()
  }

  retry = () => {
    this.setState({ isFailed: false })
    if (this.#typed.length > 0) void import('./refill.ts').then(({ refill }) => refill(this.#typed))
  }

  override render() {
    if (!this.state.isFailed) return this.props.children
    return (
      <ErrorState
        level={1}
        title="This page stopped working"
        text="What you typed is kept. Try again; if it happens again, reload the page."
        onRetry={this.retry}
      />
    )
  }
}

const fields = 'main :is(input, select, textarea)'
