/**
 * Why a file was not read, and what else should be known of it, in German. Such sentences are noted in English where they arise, and kept
 * so: who reads them later may read another language. Each row is what a sentence begins with, and its German form.
 */
const rows: readonly (readonly [RegExp, string])[] = [
  // The sentence of an error's code.
  [/The document cannot be read\./, "Das Dokument lässt sich nicht lesen."],
  [/The document holds no text\./, "Das Dokument enthält keinen Text."],
  [/This kind of file is not supported\./, "Diese Art von Datei wird nicht gelesen."],
  [/The document could not be read within the limits\./, "Das Dokument ließ sich nicht innerhalb der Grenzen lesen."],
  [/This document is being stored by another process at this moment\./, "Das Dokument wird gerade anderswo gespeichert."],
  [/The document is left alone until it changes\./, "Das Dokument wird in Ruhe gelassen, bis es sich ändert."],
  [/The embedding model failed\./, "Das Einbettungsmodell ist ausgefallen."],
  [/Something went wrong on our side\./, "Bei uns ist etwas schiefgegangen."],
  [/Cancelled\./, "Abgebrochen."],
  [/It could not be read\./, "Sie ließ sich nicht lesen."],
  // How to mend it.
  [/Save or export it anew\./, "Speichere oder exportiere sie neu."],
  [/Save it anew\./, "Speichere sie neu."],
  [/Split it or export it anew\./, "Teile sie auf oder exportiere sie neu."],
  [/Split it\./, "Teile sie auf."],
  [/Split it or export it anew, and add it again\./, "Teile sie auf oder exportiere sie neu und füge sie dann wieder hinzu."],
  [/Save it without one and add it again\./, "Speichere sie ohne und füge sie wieder hinzu."],
  [/Save it without encryption and add it again\./, "Speichere sie unverschlüsselt und füge sie wieder hinzu."],
  // Of Slack.
  [/Slack does not show it to me\./, "Slack zeigt sie mir nicht."],
  [/Slack does not keep this file itself\./, "Sie liegt nicht bei Slack selbst."],
  [/Slack did not give the file\./, "Slack hat die Datei nicht herausgegeben."],
  [
    /Slack hides it, since the workspace has reached the limit of its plan\./,
    "Slack verbirgt sie, weil der Workspace die Grenze seines Tarifs erreicht hat.",
  ],
  [/Slack has no address from which it can be fetched\./, "Slack hat keine Adresse, von der sie sich holen ließe."],
  [/It is a canvas, list or post, which is not read\./, "Sie ist ein Canvas, eine Liste oder ein Post; das wird nicht gelesen."],
  [/It is larger than (\d+) MB, or comes too slowly\./, "Sie ist größer als $1 MB oder kommt zu langsam."],
  // Of every format.
  [/The file has no content \(0 bytes\)\./, "Die Datei hat keinen Inhalt (0 Byte)."],
  [/It is protected by a password\./, "Sie ist durch ein Passwort geschützt."],
  [/Its text is protected against copying and cannot be read\./, "Ihr Text ist gegen Kopieren geschützt und lässt sich nicht lesen."],
  [/Its text is encrypted for its reader\./, "Ihr Text ist für den Empfänger verschlüsselt."],
  [/It is damaged or incomplete\./, "Sie ist beschädigt oder unvollständig."],
  [/Its archive is damaged or incomplete\./, "Ihr Archiv ist beschädigt oder unvollständig."],
  [/A part of it is damaged\./, "Ein Teil von ihr ist beschädigt."],
  [/Its pages are damaged\./, "Ihre Seiten sind beschädigt."],
  [/It is not a complete (PDF)\./, "Sie ist kein vollständiges $1."],
  [/It is not a complete Word document\./, "Sie ist kein vollständiges Word-Dokument."],
  [/It is not a complete OpenDocument file\./, "Sie ist keine vollständige OpenDocument-Datei."],
  [/It is not a complete book\./, "Sie ist kein vollständiges Buch."],
  [/It is not a complete e-mail\./, "Sie ist keine vollständige E-Mail."],
  [/It is called \.pdf but is no PDF\./, "Sie heißt .pdf, ist aber kein PDF."],
  [/It is called \.(\w+) but is no file of that format\./, "Sie heißt .$1, ist aber keine Datei dieses Formats."],
  [/Reading it failed (\d+) times\./, "Sie zu lesen ist $1-mal gescheitert."],
  [/Reading it took too long\./, "Sie zu lesen hat zu lange gedauert."],
  [/It needs too much memory or is damaged\./, "Sie braucht zu viel Speicher oder ist beschädigt."],
  [/It needs too much memory\./, "Sie braucht zu viel Speicher."],
  [/It holds too much text\./, "Sie enthält zu viel Text."],
  [/It is (\d+) MiB large, the limit is (\d+) MiB: split it\./, "Sie ist $1 MiB groß, die Grenze liegt bei $2 MiB: Teile sie auf."],
  [
    /It unpacks to far more than its size, like a file made to do harm\./,
    "Sie entpackt sich zu weit mehr als ihrer Größe, wie eine Datei, die schaden soll.",
  ],
  [/It is nested too deeply\./, "Sie ist zu tief verschachtelt."],
  [/Its elements are nested too deeply\./, "Ihre Elemente sind zu tief verschachtelt."],
  [/It has too many parts to be read\./, "Sie hat zu viele Teile, um gelesen zu werden."],
  [/Its archive has more than (\d+) parts\./, "Ihr Archiv hat mehr als $1 Teile."],
  [/It holds more than (\d+) files: split it\./, "Sie enthält mehr als $1 Dateien: Teile sie auf."],
  [/It has more than (\d+) pages: split it\./, "Sie hat mehr als $1 Seiten: Teile sie auf."],
  [/It has more than (\d+) slides: split it\./, "Sie hat mehr als $1 Folien: Teile sie auf."],
  [/It has more than (\d+) rows: split it\./, "Sie hat mehr als $1 Zeilen: Teile sie auf."],
  [/It has too many cells or too long ones: split it\./, "Sie hat zu viele oder zu lange Zellen: Teile sie auf."],
  [/It lies too deep inside other files\./, "Sie liegt zu tief in anderen Dateien."],
  [
    /It is an archive inside another file: unpack it and add its files\./,
    "Sie ist ein Archiv in einer anderen Datei: Entpacke es und füge seine Dateien hinzu.",
  ],
  [/It is an archive without files\./, "Sie ist ein Archiv ohne Dateien."],
  // Without text.
  [/The page shows no text: it may be filled in by scripts\./, "Die Seite zeigt keinen Text; vielleicht füllen ihn Skripte ein."],
  [/Save it as it is shown\./, "Speichere sie so, wie sie gezeigt wird."],
  [/Its elements hold no text\./, "Ihre Elemente enthalten keinen Text."],
  [/Its sheets hold no text\./, "Ihre Blätter enthalten keinen Text."],
  [/Its slides hold no text: they may be pictures\./, "Ihre Folien enthalten keinen Text; vielleicht sind sie Bilder."],
  [/Its chapters hold no text: they may be pictures\./, "Ihre Kapitel enthalten keinen Text; vielleicht sind sie Bilder."],
  [
    /It may consist of pictures: run text recognition \(OCR\) on them\./,
    "Vielleicht besteht sie aus Bildern: Lass eine Texterkennung (OCR) darüberlaufen.",
  ],
  [/The message holds no text\./, "Die Nachricht enthält keinen Text."],
  [/It holds no text\./, "Sie enthält keinen Text."],
  [/It holds nothing but blanks and headings\./, "Sie enthält nur Leerraum und Überschriften."],
  [/It holds nothing but blanks\./, "Sie enthält nur Leerraum."],
  [
    /No text was found: it may be a scan\. Run text recognition \(OCR\) on it and add it again, or install tesseract where Footnote runs\./,
    "Es wurde kein Text gefunden; vielleicht ist sie ein Scan. Lass eine Texterkennung (OCR) darüberlaufen und füge sie wieder hinzu, oder installiere tesseract, wo Footnote läuft.",
  ],
  [
    /No text was found, and its pages hold no picture on which text recognition could be run\./,
    "Es wurde kein Text gefunden, und auf ihren Seiten ist kein Bild für eine Texterkennung.",
  ],
  [
    /It is a scan, and text recognition \(OCR\) found no text on its pages\./,
    "Sie ist ein Scan, und die Texterkennung (OCR) hat auf ihren Seiten keinen Text gefunden.",
  ],
  // Formats that are not read.
  [/It is not a text file\./, "Sie ist keine Textdatei."],
  [/It is a picture\./, "Sie ist ein Bild."],
  [
    /It is a packed archive \(7z, RAR, gzip\): unpack it and add its files\./,
    "Sie ist ein gepacktes Archiv (7z, RAR, gzip): Entpacke es und füge seine Dateien hinzu.",
  ],
  [/It is a drawing \(SVG\)\./, "Sie ist eine Zeichnung (SVG)."],
  [/It is a drawing or formula \(OpenDocument\)\./, "Sie ist eine Zeichnung oder Formel (OpenDocument)."],
  [/It is called \.(\w+) but no [A-Za-z ]+\./, "Sie heißt .$1, ist aber nichts dergleichen."],
  [/It is a document of Word 95 or older: save it anew as DOCX\./, "Sie ist ein Dokument von Word 95 oder älter: Speichere sie als DOCX."],
  [/It is a workbook of Excel 95 or older: save it anew as XLSX\./, "Sie ist eine Mappe von Excel 95 oder älter: Speichere sie als XLSX."],
  [/It is a binary workbook \(XLSB\): save it anew as XLSX\./, "Sie ist eine binäre Mappe (XLSB): Speichere sie als XLSX."],
  [
    /It is a Pages, Numbers or Keynote file: export it as PDF or Word\./,
    "Sie ist eine Datei von Pages, Numbers oder Keynote: Exportiere sie als PDF oder Word.",
  ],
  [/It is an Office file of an unknown kind\./, "Sie ist eine Office-Datei unbekannter Art."],
  [
    /Supported are PDF, Word, PowerPoint, Excel, OpenDocument, RTF, web pages \(HTML\), e-mails \(EML, MSG\), EPUB, CSV, XML, Markdown, plain text, and archives \(ZIP\) of them\./,
    "Gelesen werden PDF, Word, PowerPoint, Excel, OpenDocument, RTF, Webseiten (HTML), E-Mails (EML, MSG), EPUB, CSV, XML, Markdown, reiner Text und Archive (ZIP) davon.",
  ],
  // Of a source.
  [
    /Nothing of this source may be kept, so its documents were taken out\./,
    "Von dieser Quelle darf nichts behalten werden; darum wurden ihre Dokumente herausgenommen.",
  ],
  [
    /Footnote is not in this channel\. Invite it there, and its files are read again\./,
    "Footnote ist nicht in diesem Channel. Lade es dort ein, dann werden seine Dateien wieder gelesen.",
  ],
  [/The source cannot be read\. Nothing was changed\./, "Die Quelle lässt sich nicht lesen. Nichts wurde geändert."],
  [/Slack does not answer\./, "Slack antwortet nicht."],
  [/Slack says: (\w+)\./, "Slack sagt: $1."],
  [
    /The channel has more than ([\d,]+) files\. Only the newest are read\./,
    "Der Channel hat mehr als $1 Dateien. Nur die neuesten werden gelesen.",
  ],
  [
    /The source could not be read whole within half an hour\. What is left, and what is gone from it, is seen to at the next run\./,
    "Die Quelle ließ sich nicht innerhalb einer halben Stunde ganz lesen. Um den Rest geht es beim nächsten Lauf.",
  ],
  // What is told of a file that was read.
  [/(\d+) of (\d+) pages could not be read\./, "$1 von $2 Seiten ließen sich nicht lesen."],
  [/(\d+) of (\d+) pages hold no text\./, "$1 von $2 Seiten enthalten keinen Text."],
  [
    /(\d+) of (\d+) pages are pictures and were read by text recognition \(OCR\): it makes mistakes\./,
    "$1 von $2 Seiten sind Bilder und wurden per Texterkennung (OCR) gelesen; sie macht Fehler.",
  ],
  [
    /(\d+) more pages are pictures and were left out: split the file\./,
    "$1 weitere Seiten sind Bilder und wurden ausgelassen: Teile die Datei auf.",
  ],
  [
    /Its text seems garbled: the file does not say which letters its font shows\./,
    "Ihr Text wirkt entstellt: Die Datei sagt nicht, welche Buchstaben ihre Schrift zeigt.",
  ],
  [
    /It holds tracked changes: it was read as if all of them were accepted\./,
    "Sie enthält verfolgte Änderungen; gelesen wurde sie, als wären alle angenommen.",
  ],
  [/(\d+) of (\d+) sheets are hidden and were left out\./, "$1 von $2 Blättern sind ausgeblendet und wurden ausgelassen."],
];

const beginnings = rows.map(([english, german]) => [new RegExp(`^${english.source}`), german] as const);

/** What is not known stays as it is, and so does a name that stands before a reason. */
function inGerman(why: string): string {
  const said = translated(why.trim());
  if (said !== undefined) return said;
  for (let at = why.indexOf(": "); at >= 0; at = why.indexOf(": ", at + 1)) {
    const rest = translated(why.slice(at + 2).trim());
    if (rest !== undefined) return `${why.slice(0, at)}: ${rest}`;
  }
  return why;
}

/** Sentence by sentence; undefined when not even the first is known. */
function translated(why: string): string | undefined {
  const said: string[] = [];
  for (let rest = why; rest !== ""; ) {
    const row = beginnings.find(([english]) => english.test(rest));
    const found = row?.[0].exec(rest);
    if (!row || !found) return said.length === 0 ? undefined : [...said, rest].join(" ");
    said.push(row[1].replace(/\$(\d)/g, (_, n: string) => found[Number(n)] ?? ""));
    rest = rest.slice(found[0].length).trim();
  }
  return said.join(" ");
}

/** Reasons that were noted in English, for whoever reads them now. */
export const english = { of: (why: string) => why };

export const german: typeof english = { of: inGerman };
