import { StrictMode, useEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'

/** A composer in a React app: an element, and its events. */
function Composer({ subject, onSent }: { subject: string; onSent: (id: string) => void }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    const listen = (event: Event) => onSent((event as CustomEvent<{ id: string }>).detail.id)
    element?.addEventListener('sendwright:message-sent', listen)
    return () => element?.removeEventListener('sendwright:message-sent', listen)
  }, [onSent])
  return (
    <div ref={place} data-sendwright="compose" data-sendwright-subject={subject} style={{ minHeight: 720 }}>
      <a href="mailto:studio@northwind.example">Write to us</a>
    </div>
  )
}

function App() {
  const [isOpen, setIsOpen] = useState(true)
  const [count, setCount] = useState(0)
  const [sent, setSent] = useState<string | null>(null)
  return (
    <main>
      <h1>Orders</h1>
      <button onClick={() => setIsOpen(!isOpen)}>{isOpen ? 'Close' : 'Open'} the composer</button>
      <button onClick={() => setCount(count + 1)}>Rendered {count} times</button>
      {isOpen && <Composer subject="Your order" onSent={setSent} />}
      {sent && <p>Sent: {sent}</p>}
    </main>
  )
}

const root = document.querySelector('#root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
