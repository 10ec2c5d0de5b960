import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { star } from '../../../widgets/kit/icon/icons.ts'
import { testimonialsSection } from '../../content/landing-sections.ts'
import { testimonials, type Testimonial } from '../../content/testimonials.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/**
 * Testimonials. On large screens they scroll in a loop of 25 s (spec §9), paused on hover and focus; on small screens, and
 * with reduced motion, they are a grid. The second copy closes the loop and is hidden from assistive technology.
 */
export function Testimonials() {
  const t = useText()
  return (
    <section className="section voices" aria-labelledby="voices-title">
      <div className="wrap">
        <div className="section-head">
          <h2 id="voices-title">{t(testimonialsSection.title)}</h2>
          <p>{t(testimonialsSection.text)}</p>
        </div>
      </div>
      <div
        className="testimonials-window"
        role="group"
        tabIndex={0}
        aria-label={t('Testimonials; the loop waits while focused')}
      >
        <div className="testimonials-belt">
          <ul>
            {testimonials.map((voice) => (
              <Voice key={voice.initials} of={voice} />
            ))}
          </ul>
          <ul aria-hidden="true" className="testimonials-copy">
            {testimonials.map((voice) => (
              <Voice key={voice.initials} of={voice} />
            ))}
          </ul>
        </div>
      </div>
    </section>
  )
}

function Voice({ of: { quote, role, company, initials, rating } }: { of: Testimonial }) {
  const t = useText()
  return (
    <li>
      <span className="voice-rating" role="img" aria-label={t('Rated {rating} of 5', { rating: String(rating) })}>
        {Array.from({ length: rating }, (_, at) => (
          <Icon key={at} of={star} size={16} />
        ))}
      </span>
      <blockquote>{t(quote)}</blockquote>
      <div className="voice-who">
        <span className="voice-initials" aria-hidden="true">
          {initials}
        </span>
        <span>
          <b>{t(role)}</b>
          <span>{company}</span>
        </span>
      </div>
    </li>
  )
}
