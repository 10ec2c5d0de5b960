import { byEnglishText, type ServerSentenceId } from './server-sentences.ts'
import type { Catalogue, Translation } from './messages.ts'

/** Sentences of the server in Spanish, by error code or key. */
export const serverSentences = {
  malformed_body: 'El cuerpo no es JSON válido. Envíe un objeto JSON en UTF-8.',
  mailbox_refused: 'El servidor de correo ha rechazado esta dirección y su contraseña de aplicación. Revise ambas.',
  mailbox_unreachable: 'No se puede acceder al servidor de correo. Revise el servidor, el puerto y la seguridad.',
  embed_code_invalid: 'Este código ha caducado, ya se ha usado o es de otra página. Pida de nuevo el consentimiento.',
  api_key_refused: 'La clave de la API falta, es desconocida o se ha revocado. Envíe una en la cabecera x-api-key.',
  not_signed_in: 'Inicie sesión primero: el token de acceso falta, ha caducado o se ha revocado.',
  embed_session_ended: 'La sesión de esta página ha terminado o se ha revocado. Abra otra.',
  email_not_confirmed: 'Confirme primero su dirección de correo: abra el enlace del correo que le enviamos.',
  token_in_foreign_page:
    'Un token de acceso no debe usarse en la página de otro sitio. Use allí una sesión propia de la página.',
  embed_forbidden: 'Desde esta página no se puede hacer esto.',
  embed_origin_refused: 'El origen de esta página no está entre los permitidos. Añádalo en el panel, en Embeds.',
  collection_forbidden: 'Esta clave de la API no puede hacer esto en esta colección.',
  config_not_found: 'Ninguna configuración de correo coincide. Revise la clave secreta o el identificador.',
  message_not_found: 'Ningún mensaje tiene este identificador.',
  template_not_found: 'Ninguna plantilla tiene este identificador.',
  embed_not_found: 'No existe ningún embed con este identificador.',
  document_not_found: 'Ningún documento de esta colección tiene este identificador.',
  idempotency_in_progress: 'La misma petición está en curso. Repítala en un momento.',
  mailbox_paused: 'Este buzón está en pausa. Conéctelo de nuevo antes de enviar.',
  permission_missing: 'No tienes permiso para esto. Pídelo a un propietario o administrador del espacio de trabajo.',
  embed_paused: 'Este embed está en pausa. Su dueño puede reanudarlo en el panel.',
  templates_full: 'Ya hay 10.000 plantillas. Elimine una antes de guardar otra.',
  revision_conflict:
    'Otra persona guardó esto entretanto. Vuelva a cargarlo y aplique su cambio a la versión más reciente.',
  design_and_body: 'Envíe un diseño o un cuerpo, no ambos: el servidor genera el cuerpo de un diseño.',
  design_invalid: 'El diseño no es válido. Cada elemento nombra una parte de él y la regla.',
  body_too_large: 'El contenido supera 1 MB. Envíe menos de una vez.',
  unsupported_media_type: 'Envíe el cuerpo como application/json, sin comprimir.',
  attachment_refused: 'No se puede adjuntar un archivo. Cada elemento indica el archivo y el motivo.',
  image_not_found: 'Ninguna imagen tiene este identificador.',
  image_too_large: 'La imagen ocupa más de 20 MB. Elija una más pequeña.',
  image_refused: 'Este archivo no se puede usar como imagen. Elija un JPEG, PNG, GIF, WebP o AVIF.',
  storage_full:
    'Las imágenes y los archivos adjuntos del espacio de trabajo ocupan 1 GB en total. Retire antes algunos de la web.',
  validation: 'La petición no tiene la forma esperada.',
  idempotency_key_reused: 'Esta Idempotency-Key se usó en otra petición. Use una clave nueva para cada petición.',
  too_many_attempts: 'Demasiados intentos. Espere un rato e inténtelo de nuevo.',
  too_many_calls: 'Demasiadas peticiones. Espere un momento y siga más despacio.',
  embed_quota_used: 'Desde aquí ya se ha enviado todo lo permitido. El dueño puede ampliar el límite.',
  too_many_addresses: 'Un mensaje con copias admite 50 direcciones en total. Envíelo a menos, o sin copias.',
  undo_too_late: 'Esta acción ya no se puede deshacer.',
  queue_full: 'Hay demasiados correos en espera. Inténtelo de nuevo cuando hayan salido algunos.',
  internal: 'Algo ha fallado por nuestra parte. Inténtelo de nuevo en un momento.',
  send_failed: 'El servidor de correo ha rechazado el mensaje para todos los destinatarios.',
  hosted_unreachable: 'No se puede acceder al servicio de datos. Inténtelo de nuevo en un momento.',
  list_too_slow: 'La lista ha tardado demasiado. Añada un filtro de igualdad o pida menos documentos.',
  database_away: 'La base de datos no está disponible por un momento. Inténtelo de nuevo en unos segundos.',
  unavailable: 'El servicio está arrancando o parando. Inténtelo de nuevo en un momento.',
  mail_too_large: 'Con sus variables rellenas, el correo supera los 10 MB o su asunto los 998 caracteres.',
  request_too_slow:
    'Los datos llegaron demasiado despacio: envíe al menos 1 kB por segundo. Vuelva a enviarlos con una conexión más rápida.',
  client_connections_exceeded:
    'Su dirección mantiene demasiadas conexiones abiertas. Cierre algunas o use cada una para varias llamadas.',
  session_quota_used: 'Esta sesión ya ha enviado todo lo permitido.',
  embed_day_quota_used: 'Hoy ya se ha enviado desde aquí todo lo permitido.',
  mailbox_not_in_embed: 'Este buzón ya está conectado y no puede usarse desde aquí.',
  embed_scope_missing: 'Esta sesión no tiene el permiso {scope}.',
  mailbox_paused_because: 'El buzón {address} está en pausa. {reason}',
  mailbox_paused_by_owner: 'Lo ha pausado alguien de este espacio de trabajo.',
  mail_server_reply: '{sentence} El servidor de correo dijo: «{reply}»',
  app_password_control:
    'La contraseña de aplicación contiene un salto de línea o un carácter de control; cópiela de nuevo.',
  smtp_host_missing:
    'El dominio de la dirección no indica ningún servidor de correo. Rellene «Servidor de correo»: lo da la página de ayuda de su proveedor, como smtp.example.com.',
  gmailPassword:
    'Gmail ha rechazado esta contraseña de aplicación. Active la verificación en dos pasos de la cuenta de Google, cree una contraseña de aplicación en https://myaccount.google.com/apppasswords y péguela aquí: la contraseña normal no sirve.',
  gmailBrowser:
    'Google retiene este inicio de sesión. Inicie sesión en la cuenta con un navegador, confirme que fue usted y conéctela de nuevo con una contraseña de aplicación de https://myaccount.google.com/apppasswords.',
  outlookPersonal:
    'Microsoft retiró el 16 de septiembre de 2024 las contraseñas de aplicación de las cuentas personales de Outlook, Hotmail, Live y MSN, y allí solo acepta su propio inicio de sesión (OAuth), que no necesita contraseña de aplicación: conecte el buzón iniciando sesión con Microsoft donde este servidor lo ofrezca, o use el de otro proveedor.',
  outlookWork:
    'Esta organización de Microsoft 365 no permite que los buzones inicien sesión en SMTP con una contraseña. Pida a su administrador que permita «SMTP autenticado» para este buzón; donde Microsoft ya ha retirado las contraseñas solo funciona su propio inicio de sesión (OAuth): conecte el buzón iniciando sesión con Microsoft donde este servidor lo ofrezca.',
  outlookPassword:
    'Microsoft ha rechazado esta dirección y su contraseña de aplicación. Cree una en Información de seguridad, https://mysignins.microsoft.com/security-info, y pida a un administrador que permita «SMTP autenticado» para el buzón.',
  yahooPassword:
    'Yahoo ha rechazado esta contraseña de aplicación. Cree una en https://login.yahoo.com/account/security, en «Generar contraseña de aplicación», y péguela aquí: la contraseña normal no sirve.',
  otherPassword:
    'El servidor de correo ha rechazado esta dirección y su contraseña. Revise ambas; muchos proveedores piden una contraseña de aplicación, creada en la configuración de seguridad de la cuenta, en lugar de la normal.',
  oauthRefused:
    'El servidor de correo no ha aceptado el inicio de sesión de esta dirección. Inicie sesión en el proveedor con exactamente este buzón y, si es de una organización, pida a un administrador que permita «SMTP autenticado».',
  oauthEnded:
    'El proveedor ha puesto fin al permiso para enviar desde este buzón: se retiró, cambió su contraseña o no se usó durante mucho tiempo. Conecte de nuevo el buzón en su proveedor.',
  oauthNotOffered:
    'Este servidor ya no está preparado para iniciar sesión con el proveedor del buzón. Quien lo gestiona debe prepararlo de nuevo o conectar el buzón con una contraseña de aplicación.',
  tooManyLogins:
    'El servidor de correo ha visto demasiados inicios de sesión de este buzón. Espere una hora y conéctelo de nuevo.',
  tryLater: 'El servidor de correo no puede atender ahora este inicio de sesión. Inténtelo de nuevo en unos minutos.',
  noLogin:
    'Este servidor de correo no ofrece inicio de sesión en este puerto. Revise el puerto y su seguridad: 465 con tls, o 587 con starttls.',
  turnedAway:
    'El servidor de correo ha rechazado la conexión antes del inicio de sesión. Inténtelo más tarde; si no ayuda, pregunte el motivo a quien lo gestiona.',
  unknownHost:
    'Ningún servidor de correo público tiene este nombre. Revise cómo está escrito el servidor e indique el nombre que publica el proveedor.',
  dnsFailure: 'Ahora no se ha podido buscar el nombre del servidor de correo. Inténtelo de nuevo en unos minutos.',
  forbiddenPort: 'El correo solo se entrega por el puerto 465 (tls) o 587 (starttls). Elija uno de ellos.',
  forbiddenClear:
    'Las contraseñas de aplicación nunca se envían sin cifrar. Elija la seguridad tls (puerto 465) o starttls (puerto 587).',
  missingHost: 'Indique el servidor de correo para un buzón de otro proveedor.',
  refusedConnection:
    'El servidor de correo no acepta conexiones en este puerto. Revise el servidor y el puerto: 465 con tls, o 587 con starttls.',
  timeout:
    'El servidor de correo no ha respondido a tiempo. Revise el servidor y el puerto; algunas redes bloquean los puertos de correo saliente.',
  noStarttls:
    'El servidor de correo no ofrece cifrado (STARTTLS) en este puerto, así que no se ha enviado la contraseña de aplicación. Pruebe el puerto 465 con tls.',
  wrongSecurity:
    'El servidor de correo no habla TLS de este modo en este puerto. Use tls con el puerto 465, starttls con el puerto 587.',
  untrusted:
    'El certificado del servidor de correo no lo firma ninguna autoridad en la que se confíe aquí, así que no se ha enviado la contraseña de aplicación. Quien lo gestiona debe instalar un certificado válido.',
  expired:
    'El certificado del servidor de correo ha caducado, así que no se ha enviado la contraseña de aplicación. Quien lo gestiona debe renovarlo.',
  wrongName:
    'El certificado del servidor de correo es de otro nombre, así que no se ha enviado la contraseña de aplicación. Indique el servidor con el nombre que da el proveedor para enviar.',
  tls: 'No se ha logrado una conexión segura con el servidor de correo, así que no se ha enviado la contraseña de aplicación. Revise el puerto y la seguridad.',
  broken:
    'Se ha cortado la conexión con el servidor de correo. Inténtelo de nuevo; si ocurre cada vez, revise el servidor y el puerto.',
  providerAway:
    'Desde aquí no se puede llegar al servidor de correo del proveedor. Inténtelo de nuevo en unos minutos; algunas redes bloquean los puertos de correo saliente.',
  providerInsecure:
    'No se ha logrado una conexión segura con el servidor de correo, así que no se ha enviado la contraseña de aplicación. Inténtelo de nuevo en unos minutos.',
  senderRefused:
    'Varios servidores de correo han rechazado mensajes en una hora a causa de este buzón, no de los destinatarios. Lea sus respuestas en el informe de la campaña, revise SPF, DKIM y DMARC de su dominio y luego reanúdelo.',
  sealed:
    'Sus secretos guardados no se abren con la clave del servidor. Conéctelo de nuevo con su contraseña de aplicación.',
  dailyLimit: 'El buzón ha alcanzado el límite de envío de su proveedor. El envío continúa solo más tarde.',
  email_sent: { one: 'Correo enviado a {count} destinatario', other: 'Correo enviado a {count} destinatarios' },
} as const satisfies Partial<Record<ServerSentenceId, Translation>>

/** Sentences of a session, which the loader shows. */
export const sessionSentences = {
  'The site did not return a session.': 'El sitio ha respondido algo que no es una sesión.',
  'This site requires you to sign in. Sign in to it and try again.':
    'Este sitio no le permite entrar aquí. Inicie sesión en él e inténtelo de nuevo.',
  'This site did not return a session. Try again later.':
    'Este sitio no ha dado una sesión con la que trabajar. Inténtelo más tarde.',
  'The browser has blocked the sign-in window. Allow pop-ups for this site and try again.':
    'El navegador ha bloqueado la ventana de inicio de sesión. Permita las ventanas emergentes de este sitio e inténtelo de nuevo.',
  'The sign-in could not be completed. Check the connection.':
    'No se pudo completar el inicio de sesión. Compruebe la conexión.',
  'You did not allow this page to use your mailbox.': 'No ha permitido que esta página use su buzón.',
  'The sign-in window was closed or isolated. If it is still open, the owner of this site must send the header Cross-Origin-Opener-Policy: same-origin-allow-popups.':
    'La ventana de inicio de sesión se ha cerrado o ha quedado aislada. Si sigue abierta, el dueño de este sitio debe enviar la cabecera Cross-Origin-Opener-Policy: same-origin-allow-popups.',
} as const

export const sentences: Catalogue = byEnglishText(serverSentences, sessionSentences)
