import { useId } from 'react'
import { productName } from '../../content/product.ts'

/** A postmark: `ring` is the text around it, `middle` the two lines inside. */
export function Postmark({ ring, middle }: { ring: string; middle: readonly [string, string] }) {
  const path = useId()
  return (
    <svg className="postmark" viewBox="0 0 300 120" aria-hidden="true">
      <defs>
        <path id={path} d="M60 14a46 46 0 1 1-.01 0" />
      </defs>
      <circle cx="60" cy="60" r="57" />
      <circle cx="60" cy="60" r="36" />
      <text>
        <textPath href={`#${path}`} textLength="278">
          {`${productName.toUpperCase()} · ${ring} ·`}
        </textPath>
      </text>
      <text className="postmark-middle" x="60" y="56">
        {middle[0]}
      </text>
      <text className="postmark-middle" x="60" y="73">
        {middle[1]}
      </text>
      {[30, 45, 60, 75, 90].map((y) => (
        <path key={y} d={`M126 ${y}c14-9 28-9 42 0s28 9 42 0 28-9 42 0 28 9 42 0`} />
      ))}
    </svg>
  )
}
