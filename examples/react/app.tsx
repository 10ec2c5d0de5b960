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
    <div ref={place} className="composer" data-sendwright="compose" data-sendwright-subject={subject}>
      <a href="mailto:studio@northwind.example">Write to us</a>
    </div>
  )
}

function App() {
  const [isOpen, setIsOpen] = useState(true)
  const [count, setCount] = useState(0)
  const [sent, setSent] = useState<string | null>(null)
  return (
    <>
      <header className="bar">
        <strong>Parcel</strong> <span>Orders</span>
      </header>
      <main>
        <h1>Order 2041</h1>
        <table className="order">
          <tbody>
            <tr>
              <th>Customer</th>
              <td>Fairweather Rope Co.</td>
            </tr>
            <tr>
              <th>Goods</th>
              <td>40 m of tarred hemp, two belaying pins</td>
            </tr>
            <tr>
              <th>State</th>
              <td>Ships on Tuesday</td>
            </tr>
          </tbody>
        </table>
        <div className="tools">
          <button onClick={() => setIsOpen(!isOpen)}>{isOpen ? 'Close' : 'Open'} the composer</button>
          <button onClick={() => setCount(count + 1)}>Rendered {count} times</button>
        </div>
        {isOpen && <Composer subject="Your order" onSent={setSent} />}
        {sent && <p>Sent: {sent}</p>}
      </main>
    </>
  )
}

const root = document.querySelector('#root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
