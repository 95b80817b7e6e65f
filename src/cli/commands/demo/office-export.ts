/**
 * A fictional contact list from office software: German columns, unformatted numbers, notes with semicolons
 * and line breaks, empty cells, errors and duplicates.
 */
const text = `Anrede;Vorname;Nachname;Telefon;Mobil;E-Mail;Bemerkung
Frau;Rosemarie;Görlitz;0049 421 823271;;rosemarie.gorlitz@example.org;
Herr;Sönke;Öztürk;;(0176) 245-23904;sonke.ozturk@example.org;
;Rüdiger;Wübbena;0049 421 935351;+49 (0)151 62459682;;
;Uwe;Müller-Brandt;0441 486788;0160/9969961;uwe.muller-brandt@example.org;
Herr;Holger;Nowak;0049 471 532437;0049 152 3117 1159;holger.nowak@example.org;"Rückruf;
bitte nur vormittags, ""dringend"""
Herr;Uwe;Meinders;0049 40 1727277;;uwe.meinders@example.org;
Frau;Gisela;Fröhlich;(0421) 319 211;folgt;gisela.frohlich@example.org;
Frau;Rosemarie;Brandt;040 5676962-0;0176/44556677;rosemarie.brandt@example.org;
Herr;Sönke;Brandt;040/9872697;0171/2878100;;
Herr;André;Reinhardt;;+49 175 6844775;;
Frau;Gisela;Fröhlich;+49 421 942265;0171 2233441;gisela.frohlich@example.org;
Frau;Hannelore;Wübbena;;015284856949;hannelore.wubbena@example.org;
Frau;Birgit;Behrens;;015164215123;petra.brandt@;
Herr;Dieter;Weiß;;0049 157 8070 0639;dieter.weiss@example.org;
Frau;Zoë;Ostermann;0049 511 949851;0152 99974651;zoe.ostermann@example.org;
;Monika;Petersen;+49 40 5741738;0176 48830191;monika.petersen@example.org;"Stammkunde; Rechnung per Post"
Frau;Renate;Tjarks;0049 40 3533925;0175/7686812;;
;Hannelore;Hansen;0511 684121-0;01718897578;;
Frau;;Petersen;;0152 28098993;monika.petersen@example.org;
;Sönke;Großmann;040/1114474;;sonke.grossmann@example.org;
Frau;Silke;Petersen;;(0160) 374-0223;silke.petersen@example.org;
Frau;Hannelore;Pfeiffer;;0049 176 3250 1751;hannelore.pfeiffer@example.org;
Herr;Rüdiger;Görlitz;0511 848666-0;+49 170 2404008;rudiger.gorlitz@example.org;
;Katarzyna;Öztürk;siehe Akte;+49 152 58409492;katarzyna.ozturk@example.org;
;Klaus;de-Vries;(040) 917 4626;;klaus.de-vries@example.org;
Herr;Jürgen;Eilers;0441 735487-0;+49 151 92176389;jurgen.eilers@example.org;
Frau;Sabine;Brandt;0049 40 5162681;;sabine.brandt@example.org;
Herr;Sönke;Schütte;(0441) 696 561;0049 160 8269 047;;
;Kerstin;Behrens;0441/363949;(0160) 555-7788;;
Herr;Rüdiger;Ostermann;0441 248793-0;0170 2366906;rudiger.ostermann@example.org;
Herr;Günter;Yildiz;0049 511 259639;;keine;
Frau;Kerstin;Thießen;0049 40 2369342;0049 175 5170 095;kerstin.thiessen@example.org;
Frau;Zoë;Petersen;0421 778812 / 0171 5550143;;zoe.petersen@example.org;
Herr;Wolfgang;Jung;(030) 736 2199;;;
Frau;Sabine;Thießen;0471 411957;0175 3493039;sabine.thiessen@example.org;
Herr;Wolfgang;Wübbena;(0511) 399 966;(0157) 236-22046;;
;Emre;de-Vries;(030) 115 2265;;emre.de-vries@example.org;
Herr;   ;Eilers;(030) 419 8828;0049 152 4592 0954;;
Frau;Petra;Lüders;030/4144559;0160 4996060;petra.luders@example.org;
Frau;Rosemarie;Petersen;040 3633473-0;0175 7389795;rosemarie.petersen@example.org;
Frau;Gisela;Fröhlich;;+49 (0)171 2233441;;
Frau;Ingrid;Thießen;0049 40 2889975;0160/9039735;;
Frau;Heike;Ostermann;0049 471 262958;+49 (0)157 52259092;heike.ostermann@example.org;
Herr;Rüdiger;Brandt;0511 838639-0;0171/7345993;rudiger.brandt@example.org;
Frau;Heike;Schütte, geb. Fröhlich;0471 668474-0;0176 70394006;;
Herr;Uwe;Weiß;4,94218E+11;(0152) 865-52104;uwe.weiss@example.org;
Herr;Jürgen;Öztürk;+49 30 5127972;0049 176 2215 3214;jurgen.ozturk@example.org;
;Ursula;Meinders;+49 441 586723;0152/55361196;ursula.meinders@example.org;
Frau;Heike;Petersen;030/6886351;+49 171 9849169;;
Frau;Änne;Müller-Brandt;0049 471 585744;0151 20304050;anne.muller-brandt@example.org;
Frau;Aylin;Fröhlich;(0421) 378 636;0171/5971298;aylin.frohlich@example.org;
Herr;Klaus;Reinhardt;n/a;;;
Herr;Rüdiger;Weiß;0049 441 171796;;rudiger.weiss@example.org;
Frau;Claudia;Lüders;0421 995189;(0175) 604-3529;claudia.luders@example.org;
Frau;Monika;Janßen;(030) 492 6768;(0160) 917-0303;monika.janssen@example.org;
Herr;Jürgen;de-Vries;0441 852624-0;+49 (0)160 6993305;jurgen.de-vries@example.org;
Herr;Dieter;Tjarks;"040/6691823; 0176 20481177";;;
Herr;Emre;Ostermann;0471/532743;;emre.ostermann@example.org;
;Rüdiger;Jung;0049 40 6671729;+49 (0)151 80347399;;
;Claudia;Meinders;0421 177823;;;
Herr;Kai-Uwe;Eilers;0421/883438;;info at example.org;
Herr;Götz;Eilers;(0441) 689 874;+49 152 20662495;gotz.eilers@example.org;
;Kerstin;Behrens;;0049 160 5557788;neu@example.org;
Frau;Sabine;Müller-Brandt;;0049 151 5369 3720;sabine.muller-brandt@example.org;
Frau;Ingrid;Janßen;030 8979323;+49 (0)152 77380910;ingrid.janssen@example.org;
Frau;Ursula;Petersen;;0049 160 6139 698;ursula.petersen@example.org;"sagt: ""nie vor 10 Uhr"""
Frau;Gisela;Reinhardt;030 8762824;0049 151 6055 6335;gisela.reinhardt@example.org;
Frau;Monika;Müller-Brandt;(0511) 592 585;(0176) 944-25070;;
Frau;Sabine;Jung;(040) 995 1271;0151/16563864;sabine.jung@example.org;
Frau;Ursula;Lüders;0049 471 891197;+49;ursula.luders@example.org;
Herr;Jörg;Weiß;0441 716137;+49 175 9395056;jorg.weiss@example.org;
Frau;  Heike ;Jung;(0471) 551 955;0157/18773040;zoe.jung@example.org;
Frau;Ingrid;Janßen;0421/555548;(0152) 601-00275;;
Frau;Hannelore;Fröhlich;;01608029741;hannelore.frohlich@example.org;
Frau;Sabine;Weiß;0049 421 436983;0049 176 1982 2161;sabine.weiss@example.org;
Frau;Aylin;Köster;;+49 (0)160 2717610;aylin.koster@example.org;
Herr;Helmut;Buß;;+49 (0)157 55296200;;
Herr;;Kröger & Söhne GmbH;0049 40 6723189;+49 152 49939573;;
;Petra;Wübbena;;0175 6827099;petra.wubbena@example.org;
;Jutta;Ostermann;0441 373959-0;015732305658;jutta.ostermann@example.org;
Herr;Götz;Pfeiffer;+49 471 299675;0151 33561155;gotz.pfeiffer@example.org;
Herr;Jörg;Buß;+49 471 377537;0049 170 9733 188;;
Herr;Helmut;Meinders;;+49 (0)157 89250611;;
;Björn;Köster;0421 612171-0;;bjorn.koster@example.org;Tel. ab 15 – 17 Uhr, 20 € offen
Frau;Renate;Behrens;;0176 56834691;renate.behrens@example.org;
;Petra;Eilers;0471/284477;0160 3607036;petra.eilers@example.org;
Frau;Heike;Eilers;(0441) 821 598;0049 157 2245 2038;heike.eilers@example.org;
Frau;Änne;Müller-Brandt;;+4915120304050;;
Herr;Helmut;Ahlers;+49 471 474361;015754503623;;
Herr;René;de-Vries;0511/934868;0;rene.de-vries@example.org;
Herr;René;Köster;0471 412165-0;;;
Frau;Petra;de-Vries;(030) 377 8662;(0176) 436-38851;;
;Claudia;Lüders;(0441) 685 161;01717935690;claudia.luders@example.org;
Herr;Jürgen;Harms;;(0175) 111-7644;jurgen.harms@example.org;
;Wolfgang;Köster;0511 388558-0;015749803281;wolfgang.koster@example.org;
Herr;Bernd;Reinhardt;0471 378837;0170 9988776;bernd.reinhardt@example.org;
Frau;Rosemarie;Janßen;+49 421 774523;0170/6196252;b.harms@example,org;
Herr;Rüdiger;Schütte;0049 30 7768172;;rudiger.schutte@example.org;
Frau;Änne;Janßen;0471 327235;0049 176 7575 3635;;
Frau;Ursula;Brandt;0441 451775;01719938061;ursula.brandt@example.org;
Herr;Holger;Ahlers;;0160/1533352;;
;Torsten;Nowak;;(0152) 374-80932;torsten.nowak@example.org;"geb. Köster;
verzogen"
;Klaus;Reinhardt;+49 30 5323626;;klaus.reinhardt@example.org;
Frau;Heike;Eilers;0471 738162-0;0160 5311309;;
Frau;Rosemarie;Brandt;;0176 44556677;privat@example.org;
Frau;Petra;Buß;;(0151) 170-71429;petra.buss@example.org;
Frau;Monika;Yildiz;0441/235567;;monika.yildiz@example.org;
Herr;Björn;Meinders;0471 758431-0;(0152) 100-90443;;
Herr;Götz;Fröhlich;;+49 (0)160 3949317;;
Frau;Monika;"Dr. ""Hansi"" Ahlers";0049 441 813668;0171/4819432;monika.jung@example.org;
Herr;Sönke;Jung;;0151 52260482;;
;Sabine;Weiß;;+49 151 99885948;;
Herr;Dieter;Schütte;030/6724337;;;
Herr;André;Janßen;+49 30 9599689;01704303401;andre.janssen@example.org;
Frau;Heike;Großmann;0421/617463;;heike.grossmann@example.org;
Frau;Ingrid;Meinders;(0421) 436 411;;ingrid.meinders@example.org;
Frau;Katarzyna;Nowak;0441 137571-0;+49 176 57908271;katarzyna.nowak@example.org;
Herr;Bernd;Görlitz;0049 511 424633;+49 (0)152 86884956;bernd.gorlitz@example.org;
Herr;Bernd;Reinhardt;;0049 170 9988776;;
Herr;Uwe;Fröhlich;(0471) 977 213;;uwe.frohlich@example.org;
`;

const beyondLatin1: Readonly<Record<string, number>> = { "€": 0x80, "–": 0x96 };

export function createOfficeExport(): Uint8Array {
  // Office software also uses CRLF within cells.
  return Uint8Array.from(
    text.replaceAll("\n", "\r\n"),
    (character) => beyondLatin1[character] ?? character.charCodeAt(0),
  );
}
